// Prints the size of each file under brotli's best compression, in bytes, one line per file. Node's brotli is native code.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  console.log(brotliCompressSync(bytes, { params }).length);
}
