// Variables of the environment whose names stand in files.

/** Undefined for one that is not there, also for names such as `constructor` that every object answers to. */
export function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}
