// What the configuration says about the workspace of a session.
import type { Configuration } from '#config/configuration.ts'
import { createSandbox } from './sandbox.ts'
import { createWorkspace, type Workspace, type WorkspaceInit } from './workspace.ts'

/** `environment`: of the person; commands get it without what looks secret. */
export function configuredWorkspace(
  place: Pick<WorkspaceInit, 'cwd' | 'files' | 'outputDirectory'> & { roots: readonly string[] },
  { env, sandbox }: Partial<Pick<Configuration, 'env' | 'sandbox'>>,
  environment: NodeJS.ProcessEnv,
): Workspace {
  return createWorkspace({
    ...place,
    environment,
    keepEnvironment: env?.pass ?? [],
    ...(sandbox && { sandbox: createSandbox({ roots: place.roots, allowedDomains: sandbox.allowHosts }) }),
  })
}
