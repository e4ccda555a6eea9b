/** CRC-32 as in zip and PNG (ISO 3309), where the one of Node.js, which is several times as fast, is not at hand. */

const POLYNOMIAL = 0xedb88320;

/** The remainder of each byte. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
  return remainder;
});

export function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (let i = 0; i < bytes.length; i++)
    crc = (crc >>> 8) ^ (REMAINDERS[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
