// Keeps stdout for protocol frames: whoever else writes to it ends up on stderr.
import { Writable } from 'node:stream'

/**
 * Takes stdout over for the rest of the process: `console.*`, warnings and chatter of dependencies go to stderr from
 * now on. The returned stream is the only way to the real stdout; a reader that went away destroys it.
 */
export function claimStdout(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Writable {
  const write = stdout.write.bind(stdout)
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done)
    },
  })
  output.on('error', () => {})
  stdout.on('error', (error) => output.destroy(error))
  stdout.write = stderr.write.bind(stderr)
  return output
}
