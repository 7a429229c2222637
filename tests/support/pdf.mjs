// The text of a PDF's pages.
import { extractText, getDocumentProxy } from "unpdf";

/** The text of each page without spaces, because line breaks are the browser's choice. */
export async function sheetsOf(pdf) {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text.map(withoutSpaces);
}

/** Normalises a text for comparison with those of pages. */
export const withoutSpaces = (text) => text.replaceAll(/[\s\u00ad\u200b]/g, "");
