const encoder = new TextEncoder();

/**
 * The 64-bit FNV-1a hash of the UTF-8 bytes of a text.
 *
 * It computes in two halves of 32 bits, which is some ten times as fast as in one `BigInt`: the
 * prime is 2^40 + 0x1B3, so a product is a shift and a multiplication by a small number.
 *
 * @param {string} text
 * @returns {bigint}
 * @see https://www.rfc-editor.org/rfc/rfc9923 for the function and its constants.
 */
export function fnv1a(text) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of encoder.encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    const carry = Math.floor(product / 0x1_0000_0000);
    // Each term is below 2^42, so that nothing is lost in a double.
    high = (high * 0x1b3 + carry + ((low << 8) >>> 0)) % 0x1_0000_0000;
    low = product % 0x1_0000_0000;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}
