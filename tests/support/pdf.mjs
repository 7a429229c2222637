// The printouts of pages.
import { extractText, getDocumentProxy } from "unpdf";

/** The text of each page without spaces, because line breaks are the browser's choice. */
export async function sheetsOf(pdf) {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text.map(withoutSpaces);
}

/** Normalises a text for comparison with those of pages. */
export const withoutSpaces = (text) => text.replaceAll(/[\s\u00ad\u200b]/g, "");

/** Prints a page. Returns the words of the printout, its sheets, and the nodes and events in its tables. */
export async function printed(own) {
  await own.evaluate(() => {
    window.printedRows = undefined;
    // After the panel's own listener.
    const record = () => {
      const printout = document.querySelector(".printout");
      if (printout)
        window.printedRows = ["node", "event"].map((kind) =>
          [...printout.querySelectorAll(`tr[data-${kind}]`)].map((row) => row.dataset[kind]),
        );
    };
    addEventListener("beforeprint", record, { once: true });
  });
  const pdf = await own.pdf({ format: "A4", preferCSSPageSize: true, timeout: 60_000 });
  const sheets = await sheetsOf(pdf);
  const [rows, events] = (await own.evaluate(() => window.printedRows)) ?? [];
  return { sheets, words: sheets.join(""), rows, events };
}
