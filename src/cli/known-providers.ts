// The providers that a key can be stored for.
import type { Configuration } from '#config/configuration.ts'
import { endpointOf, providerIds } from '#model/endpoint.ts'

/** Ids of those that can be reached: one that is configured without an API can not. */
export function knownProviders(configuration: Configuration): string[] {
  return providerIds(configuration).filter((id) => endpointOf(id, configuration, false) !== undefined)
}

/** What is said of one that nobody knows. */
export function noSuchProvider(provider: string, configuration: Configuration): string {
  return `there is no provider "${provider}"; known are ${knownProviders(configuration).join(', ')}`
}
