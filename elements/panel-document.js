// The document that the attribute `src` of <runstate-panel> names.
import { failure } from "./element.js";

const code = "DOCUMENT_NOT_LOADED";

/**
 * Loads a document. Rejects with `DOCUMENT_NOT_LOADED` if the address is none, or if the browser or a server refuses it.
 * @param {string} src
 * @param {string} base The base of relative addresses.
 * @param {AbortSignal} signal
 */
export async function loadDocument(src, base, signal) {
  const address = toAddress(src, base);
  try {
    const response = await fetch(address, { signal });
    if (!response.ok) {
      throw failure(code, `The server responded with ${response.status} for ${shown(address)}.`, "Check the address in the attribute src.");
    }
    return new File([await response.blob()], nameOf(address));
  } catch (error) {
    if (error.code === code || signal.aborted) throw error;
    const hint = "Check the address, connect-src of this page's policy, and whether the server allows pages of other origins to read it.";
    // The browser's own message may repeat a password of the address.
    throw Object.assign(failure(code, `The browser did not load ${shown(address)}.`, hint), { cause: error });
  }
}

function toAddress(src, base) {
  try {
    return new URL(src, base);
  } catch {
    throw failure(code, "Expected the address of a document in the attribute src, found a text that is no address.");
  }
}

/** The address without what may be a secret. */
const shown = ({ protocol, origin, pathname }) => (/^https?:$/.test(protocol) ? origin + pathname : `the ${protocol} address`);

/** The name of the document: the last part of its path. */
function nameOf({ protocol, host, pathname }) {
  if (!/^https?:$/.test(protocol)) return "the page's document";
  const last = pathname.split("/").findLast(Boolean) ?? host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
