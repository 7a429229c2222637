// Makes a screenshot small: a PNG of 8-bit RGB or RGBA becomes one with a palette of at most 128 colours.
import { deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxColours = 128;

function* chunks(png) {
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return framed;
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// The pixels as one 24-bit number each, with the row filters of the PNG format undone.
function pixels(data, width, height, channels) {
  const stride = width * channels;
  const raw = inflateSync(data);
  const found = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    const row = Uint8Array.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? row[x - channels] : 0;
      const corner = x >= channels ? above[x - channels] : 0;
      row[x] += [0, left, above[x], (left + above[x]) >> 1, paeth(left, above[x], corner)][filter];
    }
    for (let x = 0; x < width; x++) found[y * width + x] = (row[x * channels] << 16) | (row[x * channels + 1] << 8) | row[x * channels + 2];
    above = row;
  }
  return found;
}

const distance = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

// The colours that occur most, each as itself; the others go to the nearest of them.
function palette(found) {
  const counts = new Map();
  for (const colour of found) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const colours = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  const kept = colours.slice(0, maxColours);
  const index = new Map(kept.map((colour, at) => [colour, at]));
  for (const colour of colours.slice(maxColours)) {
    let nearest = 0;
    for (let at = 1; at < kept.length; at++) if (distance(colour, kept[at]) < distance(colour, kept[nearest])) nearest = at;
    index.set(colour, nearest);
  }
  return { kept, index };
}

/** The same picture with fewer colours. */
export function smaller(png) {
  const bytes = Buffer.from(png);
  const parts = [...chunks(bytes)];
  const head = parts.find(({ type }) => type === "IHDR").data;
  const [width, height, depth, colourType] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9]];
  if (depth !== 8 || (colourType !== 2 && colourType !== 6)) throw new Error(`a PNG of depth ${depth} and type ${colourType} is not a screenshot`);
  const data = Buffer.concat(parts.filter(({ type }) => type === "IDAT").map((part) => part.data));
  const found = pixels(data, width, height, colourType === 6 ? 4 : 3);
  const { kept, index } = palette(found);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = index.get(found[y * width + x]);
  const header = Buffer.from(head);
  header[9] = 3;
  const colours = Buffer.from(kept.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("PLTE", colours), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
