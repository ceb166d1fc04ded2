// Modules of Node that take milliseconds to load, and that no start needs.

/** Stands for a module that is loaded when something of it is used. */
export function late(load: () => object): object {
  let loaded: object | undefined
  const real = (): object => (loaded ??= load())
  return new Proxy(
    {},
    {
      get: (_target, key) => Reflect.get(real(), key) as unknown,
      has: (_target, key) => key in real(),
      ownKeys: () => Reflect.ownKeys(real()),
      getOwnPropertyDescriptor(_target, key) {
        const found = Reflect.getOwnPropertyDescriptor(real(), key)
        return found && { ...found, configurable: true }
      },
    },
  )
}
