// Addresses that the web tools may reach: public ones, and those that configuration names.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressRule {
  /** Whether a connection for `hostname` may go to `address` (an IP address). */
  allows(hostname: string, address: string): boolean
}

/** `allowed`: host names, `*.example.org`, addresses, or ranges such as `10.0.0.0/8`. Throws a `TypeError` on a bad range. */
export function createAddressRule(allowed: readonly string[] = []): AddressRule {
  const ranges = allowed.flatMap(rangeOf)
  const names = allowed.filter((entry) => rangeOf(entry).length === 0).map((entry) => entry.toLowerCase())
  return {
    allows(hostname, address) {
      const parsed = plainAddress(address)
      if (!parsed) return false
      if (parsed.range() === 'unicast') return true
      if (names.some((name) => isNamed(hostname.toLowerCase(), name))) return true
      return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
    },
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An IPv4 address that is dressed as an IPv6 one counts as what it is. */
function plainAddress(address: string): Address | undefined {
  const [bare = ''] = address.replace(/^\[|\]$/g, '').split('%')
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare)
}

function rangeOf(entry: string): [Address, number][] {
  if (/^[\d.:a-f]+\/\d+$/i.test(entry)) return [ipaddr.parseCIDR(entry)]
  const address = plainAddress(entry)
  return address ? [[address, address.kind() === 'ipv4' ? 32 : 128]] : []
}

function isNamed(hostname: string, name: string): boolean {
  return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
}
