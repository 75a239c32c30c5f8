const encoder = new TextEncoder();

/**
 * Returns the 64-bit FNV-1a hash of the UTF-8 bytes of a text.
 *
 * It computes with 32-bit integers, which is many times faster than with a `BigInt`: the prime is
 * 2^40 + 0x1B3, so a product is a shift and a multiplication by a small number.
 *
 * @param {string} text
 * @returns {bigint}
 * @see https://www.rfc-editor.org/rfc/rfc9923 for the function and its constants.
 */
export function fnv1a(text) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const bytes = encoder.encode(text);
  for (let index = 0; index < bytes.length; index++) {
    low ^= bytes[index];
    const first = (low & 0xffff) * 0x1b3;
    const second = (low >>> 16) * 0x1b3 + (first >>> 16);
    high = (Math.imul(high, 0x1b3) + (second >>> 16) + (low << 8)) | 0;
    low = (second << 16) | (first & 0xffff);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
