/** One input of a verdict. */
export interface EvidenceInput {
  name: string;
  /** The kind of `value`: a word of a vocabulary, a time or any other text. An absent input has no value. */
  kind: "absent" | "word" | "time" | "text";
  value?: EvidenceValue;
  /** The time from which the age of the input is counted, in milliseconds since 1970. */
  atMs?: number;
  /** The age in milliseconds beyond which the rule decides differently. */
  limitMs?: number;
  /** Whether the verdict depends on this input. */
  decisive: boolean;
  /** What contained it, if that is not what `readFrom` of the evidence names. */
  readFrom?: string;
}

/** A word or text, verbatim, or a time in milliseconds since 1970. */
export type EvidenceValue = number | string;
