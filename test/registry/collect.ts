// Run in a process of its own: prints which of the things that were let go of are still held after a collection.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRegistry, createScheduler } from '#index.ts'
import { input, probe } from './probe.ts'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const registry = createRegistry({ approval: { request: async () => 'allowed-once' } })
const held = new Map<string, WeakRef<object>>()
const watch = <T extends object>(name: string, thing: T): T => (held.set(name, new WeakRef(thing)), thing)

async function live(): Promise<void> {
  const scope = watch('scope', registry.scope())
  const inner = watch('inner scope', registry.scope(scope))
  registry.register(watch('global tool', probe()))()
  scope.register(watch('scoped tool', probe()))
  inner.register(watch('inner tool', probe({ name: 'inner' })))
  inner.restrict(watch('filter', { deny: ['probe'] }))
  registry.guard(watch('global guard', () => undefined))()
  scope.guard(watch('guard', () => undefined))
  registry.on(
    'tools/pre-execute',
    watch('global listener', () => ({ kind: 'allow' as const })),
  )()
  scope.on(
    'tools/pre-execute',
    watch('listener', (_exec, next) => next()),
  )
  scope.on(
    'tools/change',
    watch('change listener', () => undefined),
  )
  const controller = watch('controller', new AbortController())
  const given = watch(
    'input',
    input({ scope, signal: watch('signal', controller.signal), arguments: watch('arguments', { a: [1] }) }),
  )
  watch('result', await registry.execute(given))
  watch('scheduled result', await createScheduler(registry, { abandonAfterMs: 1000 }).submit(given))
  scope.dispose()
}

await live()
for (let turn = 0; turn < 10; turn += 1) {
  await new Promise((resolve) => setImmediate(resolve))
  gc()
}
process.stdout.write(
  JSON.stringify([...held].filter(([, ref]) => ref.deref() !== undefined).map(([name]) => name)),
)
// The registry itself is alive all the time.
if (registry.schemas().length > 0) process.exitCode = 1
