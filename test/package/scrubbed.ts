// The environment that the editors' registry starts agents in when it checks them: a few variables, an empty home.
import { delimiter, dirname } from 'node:path'

/** What the registry's checker lets through. */
const PASSED = [
  'CI',
  'COMSPEC',
  'NPM_CONFIG_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'PATH',
  'PATHEXT',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'SystemRoot',
  'TMP',
  'TMPDIR',
  'TEMP',
  'WINDIR',
]

/** `home` must be empty. The Node of the tests is the first on PATH. */
export function scrubbedEnvironment(home: string): Record<string, string> {
  const env: Record<string, string> = { TERM: 'dumb' }
  for (const name of PASSED) {
    const value = process.env[name]
    if (value !== undefined && value !== '') env[name] = value
  }
  env['PATH'] = [dirname(process.execPath), env['PATH']].join(delimiter)
  env['HOME'] = home
  return env
}
