// A process that replaces a file over and over, to be killed at any moment: `crash-writer.ts <file>`.
import { writeAtomically } from '#workspace/atomic-write.ts'

const [, , target = ''] = process.argv
const contents = ['A', 'B'].map((sign) => Buffer.alloc(3_000_000, sign))
process.stdout.write('ready\n')
for (let turn = 0; ; turn += 1) await writeAtomically(target, contents[turn % 2] ?? Buffer.alloc(0))
