// What stands on the sheets of a PDF.
import { extractText, getDocumentProxy } from "unpdf";

/** The text of each sheet without spaces: where a line breaks is the browser's choice. */
export async function sheetsOf(pdf) {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text.map(withoutSpaces);
}

/** A text as it is compared with those of sheets. */
export const withoutSpaces = (text) => text.replaceAll(/[\s\u00ad\u200b]/g, "");
