// Characters that hide or turn around what stands beside them, shown as what they are: a person decides by what they see.

/** Controls but tab and line ends, marks of direction, characters without a width (those of emoji and scripts apart). */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** The text with each of them spelled `\u{…}`; well-formed. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}
