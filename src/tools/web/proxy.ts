// The proxy that the environment names for an address.

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** `HTTPS_PROXY` or `HTTP_PROXY` by the protocol, unless `NO_PROXY` lists the host; either case of the names. */
export function proxyFor(url: URL, env: ProxyEnvironment): string | undefined {
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || ''
  const proxy = read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  return proxy === '' || isExempt(url, read('NO_PROXY')) ? undefined : proxy
}

function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const own = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (entryPort !== undefined && entryPort !== own)) return false
    const suffix = name.replace(/^\*?\./, '')
    return name === '*' || hostname === suffix || hostname.endsWith(`.${suffix}`)
  })
}
