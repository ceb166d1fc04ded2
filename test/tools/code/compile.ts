// Programs and their SDK before the real compiler, in a project of their own.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../../support/temporary.ts'

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2025'],
    module: 'esnext',
    types: [],
    moduleDetection: 'force',
    exactOptionalPropertyTypes: true,
  },
  include: ['*.ts'],
}

/** The compiler's complaints, by program; the SDK's own under `sdk`. */
export async function complaints(
  sdk: string,
  programs: Record<string, string> = {},
): Promise<Map<string, string[]>> {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(OPTIONS))
  const global = sdk.replaceAll(/^declare /gm, '')
  await writeFile(join(directory, 'sdk.ts'), `declare global {\n${global}}\nexport {}\n`)
  for (const [name, body] of Object.entries(programs)) {
    await writeFile(join(directory, `${name}.ts`), `export async function program() {\n${body}\n}\n`)
  }
  const output = await compile(directory)
  const found = new Map<string, string[]>()
  for (const [, name = '', complaint = ''] of output.matchAll(
    /^(\w+)\.ts\(\d+,\d+\): (error TS\d+: .*)$/gm,
  )) {
    found.set(name, [...(found.get(name) ?? []), complaint])
  }
  return found
}

function compile(directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [COMPILER, '-p', '.', '--pretty', 'false'],
      { cwd: directory },
      (error, stdout, stderr) => {
        const fine = error === null || error.code === 1 || error.code === 2
        if (fine && stderr === '') resolve(stdout)
        else reject(error ?? new Error(stderr))
      },
    )
  })
}
