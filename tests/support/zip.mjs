// The files of a zip archive.
import { inflateRawSync } from "node:zlib";

const STORED = 0;

/** The content of each file by its path, in the order of the archive's directory. */
export function filesOf(zip) {
  const end = zip.lastIndexOf("PK\x05\x06");
  const files = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(data, data + zip.readUInt32LE(at + 20));
    const isStored = zip.readUInt16LE(at + 10) === STORED;
    files.set(zip.toString("utf8", at + 46, at + 46 + name), isStored ? packed : inflateRawSync(packed));
    at += 46 + name + extra + comment;
  }
  return files;
}
