// The id of a new session: a random UUID of version 4 (RFC 9562).
import { closeSync, openSync, readSync } from 'node:fs'

const BYTES = 16

export function newSessionId(): string {
  const bytes = Buffer.alloc(BYTES)
  if (!readRandom(bytes)) process.getBuiltinModule('node:crypto').randomFillSync(bytes)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Asks the system where it gives random bytes as a file: an editor would wait while Node loads what it has for that. */
function readRandom(bytes: Buffer): boolean {
  if (process.platform === 'win32') return false
  try {
    const file = openSync('/dev/urandom', 'r')
    try {
      return readSync(file, bytes, 0, BYTES, null) === BYTES
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
