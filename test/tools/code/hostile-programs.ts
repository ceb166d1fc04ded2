// Programs that try to get out, or to use up what there is. `kind`: how the run must fail; `is`: what it must return.
import type { FailureKind } from '#tools/code/outcome.ts'

export interface Hostile {
  name: string
  code: string
  kind?: FailureKind
  is?: unknown
}

const ESCAPES: Hostile[] = [
  {
    name: 'names of a host',
    code: `return ['process', 'require', 'module', 'exports', '__dirname', 'global', 'window', 'self', 'fetch', 'WebSocket', 'XMLHttpRequest',
      'setTimeout', 'setInterval', 'setImmediate', 'Buffer', 'WebAssembly', 'Worker', 'Deno', 'Bun', 'std', 'os', 'print', 'load', 'scriptArgs', 'Atomics', 'navigator']
      .filter((name) => name in globalThis)`,
    is: [],
  },
  { name: 'process', code: 'return process.env', kind: 'exception' },
  { name: 'require', code: 'return require("fs").readFileSync("/etc/passwd", "utf8")', kind: 'exception' },
  { name: 'import of a module', code: 'return await import("node:fs")', kind: 'exception' },
  {
    name: 'import of data',
    code: 'return await import("data:text/javascript,export default 1")',
    kind: 'exception',
  },
  { name: 'static import', code: 'import fs from "node:fs"\nreturn fs', kind: 'exception' },
  { name: 'import.meta', code: 'return import.meta.url', kind: 'exception' },
  { name: 'fetch', code: 'return await fetch("http://127.0.0.1/")', kind: 'exception' },
  { name: 'the Function constructor', code: 'return Function("return typeof process")()', is: 'undefined' },
  {
    name: 'a constructor chain from console',
    code: 'return console.log.constructor("return typeof process")()',
    is: 'undefined',
  },
  {
    name: 'a constructor chain from a tool',
    code: 'return tools.echo.constructor("return typeof process + typeof require")()',
    is: 'undefinedundefined',
  },
  {
    name: 'a constructor chain from an answer',
    code: 'const answer = await tools.echo({ a: 1 })\nreturn answer.constructor.constructor("return typeof process")()',
    is: 'undefined',
  },
  {
    name: 'a constructor chain from an error',
    code: 'try { await tools.fail({}) } catch (error) { return error.constructor.constructor("return typeof process")() }',
    is: 'undefined',
  },
  {
    name: 'a constructor chain from a promise',
    code: 'const call = tools.echo({})\nawait call\nreturn call.constructor.constructor("return typeof process")()',
    is: 'undefined',
  },
  {
    name: 'async and generator constructors',
    code: 'return [await (async () => {}).constructor("return typeof process")(), (function* () {}).constructor("yield typeof process")().next().value]',
    is: ['undefined', 'undefined'],
  },
  {
    name: 'indirect eval',
    code: 'return (0, eval)("typeof process + typeof this.process")',
    is: 'undefinedundefined',
  },
  { name: 'the global object', code: 'return (function () { return this })() === undefined', is: true },
  {
    name: 'own names of the global object that belong to a host',
    code: 'return Object.getOwnPropertyNames(globalThis).filter((name) => /host|call|qjs|wasm|deckhand/i.test(name))',
    is: [],
  },
  {
    name: 'the caller of a function',
    code: 'function f() { return f.caller }\nreturn f()',
    kind: 'exception',
  },
  { name: 'arguments.callee', code: 'return (function () { return arguments.callee })()', kind: 'exception' },
  {
    name: 'stacks that name files of ours',
    code: 'return /deckhand|node:|node_modules|\\/work|\\.js/.test(new Error("x").stack)',
    is: false,
  },
  {
    name: 'a prepared stack',
    code: 'Error.prepareStackTrace = (_e, frames) => frames\nawait tools.fail({})',
    kind: 'exception',
  },
  {
    name: 'a stack that throws',
    code: 'Error.prepareStackTrace = () => { throw 1 }\nawait tools.fail({})',
    kind: 'exception',
  },
  {
    name: 'pollution of Object.prototype',
    code: 'Object.prototype.polluted = 1; ({}).__proto__.polluted2 = 1; Array.prototype.polluted = 1\nreturn await tools.echo({ a: 1 })',
    is: { a: 1 },
  },
  {
    name: 'pollution by arguments',
    code: 'return await tools.echo(JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\'))',
    is: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  },
  {
    name: 'a replaced JSON',
    code: 'JSON.stringify = () => "{}"; JSON.parse = () => "owned"\nreturn await tools.echo({ a: 1 })',
    is: { a: 1 },
  },
  {
    name: 'a replaced Promise',
    code: 'Promise.prototype.then = () => { throw 1 }; globalThis.Promise = null\nreturn await tools.echo({ a: 1 })',
    is: { a: 1 },
  },
  {
    name: 'a toJSON in the prototype',
    code: 'Object.prototype.toJSON = () => "owned"\nawait tools.echo({ a: 1 })',
    kind: 'exception',
  },
  { name: 'changed tools', code: 'tools.echo = () => "mine"', kind: 'exception' },
  { name: 'changed console', code: 'console.log = () => {}', kind: 'exception' },
  {
    name: 'a class as ToolCallError',
    code: 'ToolCallError.prototype.constructor = null\ntry { await tools.fail({}) } catch (e) { return e.message }',
    is: 'failed',
  },
  {
    name: 'a call of run_code',
    code: 'return await tools.run_code({ code: "return 1", description: "" })',
    kind: 'exception',
  },
  {
    name: 'a body that closes its function',
    code: '}); globalThis.out = 1; (async () => {',
    kind: 'exception',
  },
]

const EXHAUSTION: Hostile[] = [
  { name: 'an infinite loop', code: 'for (;;);', kind: 'timeout' },
  {
    name: 'a loop that catches',
    code: 'for (;;) { try { for (;;); } catch {} finally { continue } }',
    kind: 'timeout',
  },
  { name: 'a loop behind a call', code: 'await tools.echo({}); for (;;);', kind: 'timeout' },
  { name: 'a loop beside an open call', code: 'const open = tools.slow({}); for (;;);', kind: 'timeout' },
  { name: 'a loop of calls', code: 'for (;;) { try { await tools.echo({}) } catch {} }', kind: 'timeout' },
  { name: 'infinite recursion', code: 'function f() { return f() + 1 }\nreturn f()', kind: 'exception' },
  {
    name: 'recursion that catches',
    code: 'function f() { try { return f() } catch { return f() } }\nreturn f()',
    kind: 'timeout',
  },
  {
    name: 'a promise storm',
    code: 'const f = () => void Promise.resolve().then(f)\nf()\nawait new Promise(() => {})',
    kind: 'timeout',
  },
  {
    name: 'a storm of await',
    code: 'const f = async () => { for (;;) await null }\nawait Promise.all(Array.from({ length: 100 }, f))',
    kind: 'timeout',
  },
  { name: 'an exponential pattern', code: 'return /^(a+)+$/.test("a".repeat(60) + "b")', kind: 'timeout' },
  {
    name: 'native work that can’t be interrupted',
    code: 'const a = new Uint32Array(2e6)\nfor (;;) a.sort()',
    kind: 'timeout',
  },
  { name: 'a gigabyte at once', code: 'return new ArrayBuffer(1e9).byteLength', kind: 'crash' },
  {
    name: 'a gigabyte in pieces',
    code: 'const a = []\nfor (;;) a.push(new Array(1e6).fill(1))',
    kind: 'crash',
  },
  {
    name: 'a gigabyte that catches',
    code: 'const a = []\nfor (;;) { try { a.push("x".repeat(1e6) + a.length) } catch {} }',
    kind: 'crash',
  },
  { name: 'a giant string', code: 'return "x".repeat(2 ** 29).length', kind: 'crash' },
  { name: 'a growing string', code: 'let s = "x"\nfor (;;) s += s', kind: 'exception' },
  { name: 'a giant number', code: 'let n = 2n\nfor (;;) n *= n', kind: 'exception' },
  { name: 'a promise that never settles', code: 'await new Promise(() => {})', kind: 'timeout' },
  {
    name: 'ten thousand calls at once',
    code: 'await Promise.all(Array.from({ length: 10_000 }, (_, n) => tools.echo({ n })))',
    kind: 'exception',
  },
  {
    name: 'calls that nobody waits for',
    code: 'for (let n = 0; n < 100; n += 1) void tools.slow({ n })\nreturn "over"',
    is: 'over',
  },
  { name: 'a flood of lines', code: 'for (;;) console.log("x".repeat(1000))', kind: 'output-limit' },
  { name: 'a flood of short lines', code: 'for (;;) console.log("x".repeat(100))', kind: 'output-limit' },
  { name: 'one giant line', code: 'console.log("x".repeat(5e6))', kind: 'output-limit' },
  { name: 'a giant result', code: 'return "x".repeat(5e6)', kind: 'output-limit' },
  {
    name: 'deep JSON as a result',
    code: 'let a = []\nfor (let n = 0; n < 1e5; n += 1) a = [a]\nreturn a',
    kind: 'invalid-output',
  },
  {
    name: 'deep JSON as arguments',
    code: 'let a = []\nfor (let n = 0; n < 1e5; n += 1) a = [a]\nawait tools.echo({ a })',
    kind: 'exception',
  },
  { name: 'a circle as a result', code: 'const a = {}\na.a = a\nreturn a', kind: 'invalid-output' },
  {
    name: 'a proxy as a result',
    code: 'return new Proxy({}, { ownKeys() { throw new Error("trap") } })',
    kind: 'invalid-output',
  },
  {
    name: 'a throwing getter in arguments',
    code: 'await tools.echo({ get a() { throw new Error("trap") } })',
    kind: 'exception',
  },
  { name: 'a symbol in arguments', code: 'await tools.echo({ [Symbol("x")]: 1 })', kind: 'exception' },
  { name: 'a function as a result', code: 'return () => 1', kind: 'invalid-output' },
  { name: 'text nested too deeply to be read', code: '('.repeat(200_000), kind: 'exception' },
  { name: 'a giant program', code: `return ${'1+'.repeat(400_000)}1`, kind: 'exception' },
  {
    name: 'control characters in output',
    code: 'console.log("\\u001b[2J\\u0007"); return "\\u0000"',
    is: '\u0000',
  },
]

export const HOSTILE: readonly Hostile[] = [...ESCAPES, ...EXHAUSTION]
