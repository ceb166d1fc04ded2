// What an encoding of text is.

export interface TextEncoding {
  /** `utf-8`, `utf-16le`, `utf-16be`, or another one's usual name. */
  readonly name: string
  /** The bytes begin with a byte order mark. */
  readonly bom: boolean
  /** All bytes of a file with this text, the mark included. Throws `UnencodableTextError`. */
  encode(text: string): Buffer
}

/** The text holds a character that the encoding has no bytes for. */
export class UnencodableTextError extends Error {
  override readonly name = 'UnencodableTextError'
  readonly encoding: string
  readonly character: string

  constructor(encoding: string, character: string) {
    super(`${encoding} has no ${JSON.stringify(character)}`)
    this.encoding = encoding
    this.character = character
  }
}
