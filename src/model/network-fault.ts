// What a failed connection means, in words; the system's code stays, for people who look it up.

export interface NetworkFault {
  detail: string
  /** Trying again can't help. */
  lasting: boolean
}

/** `thrown`: an error whose causes may name the address. */
export function networkFault(code: string, thrown: unknown): NetworkFault {
  const { words, lasting = false } = meaningOf(code)
  if (words === undefined) return { detail: code, lasting }
  const where = addressOf(thrown)
  return { detail: `${words}${where === undefined ? '' : ` at ${where}`} (${code})`, lasting }
}

function meaningOf(code: string): { words?: string; lasting?: boolean } {
  switch (code) {
    case 'ECONNREFUSED':
      return { words: 'nothing listens' }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { words: 'the name of the host is not known' }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return { words: 'the other side broke it off' }
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return { words: 'nothing answers' }
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return { words: 'the other side speaks no TLS: is http:// meant, not https://?', lasting: true }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { words: 'the certificate is for another name', lasting: true }
    case 'CERT_HAS_EXPIRED':
      return { words: 'the certificate has expired', lasting: true }
    default:
      return /SELF_SIGNED|^UNABLE_TO_(GET|VERIFY)|^CERT_UNTRUSTED/.test(code)
        ? { words: 'the certificate is not trusted here; NODE_EXTRA_CA_CERTS names more', lasting: true }
        : {}
  }
}

/** The host, and the port where it is known, as the innermost error names them. */
function addressOf(thrown: unknown): string | undefined {
  let found: string | undefined
  let current = thrown
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    const { hostname, address, port } = current as { hostname?: unknown; address?: unknown; port?: unknown }
    if (typeof hostname === 'string') found = hostname
    else if (typeof address === 'string')
      found =
        typeof port === 'number' ? `${address.includes(':') ? `[${address}]` : address}:${port}` : address
    // Of several addresses of a host the first says as much as the others.
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return found
}
