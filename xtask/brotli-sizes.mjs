// Prints the size of each file under brotli's best compression, in bytes, one line per file. Node's brotli is native code.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);
const known = new Map();
/** The size of these bytes, compressed once even if several files have them. */
const sizeOf = (bytes) => {
  const key = bytes.toString("latin1");
  if (!known.has(key)) known.set(key, compressedSize(bytes));
  return known.get(key);
};
const compressedSize = async (bytes) => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return (await compress(bytes, { params })).length;
};
for (const size of await Promise.all(process.argv.slice(2).map((file) => readFile(file).then(sizeOf)))) console.log(size);
