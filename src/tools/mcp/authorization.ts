// OAuth by the library: what it has to remember and whom it has to ask.
import { randomBytes } from 'node:crypto'
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { type CallbackServer, openCallbackServer } from './callback-server.ts'
import type { Credentials } from './credentials.ts'

/** One try to be authorized for one server. Closed when it is over. */
export class Authorization implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly #credentials: Credentials
  readonly #show: (url: string) => void
  readonly #state = randomBytes(24).toString('base64url')
  #callback: CallbackServer | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  private constructor(
    redirectUrl: string,
    callback: CallbackServer | undefined,
    credentials: Credentials,
    show: (url: string) => void,
  ) {
    this.redirectUrl = redirectUrl
    this.#callback = callback
    this.#credentials = credentials
    this.#show = show
  }

  /** `show` is given the address that a person has to open. */
  static async begin(credentials: Credentials, show: (url: string) => void): Promise<Authorization> {
    const { redirectUrl, tokens } = await credentials.load()
    if (redirectUrl !== undefined && tokens !== undefined)
      return new Authorization(redirectUrl, undefined, credentials, show)
    const callback = await reopen(redirectUrl, credentials)
    return new Authorization(callback.url, callback, credentials, show)
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Deckhand',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state(): string {
    return this.#state
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    return (await this.#credentials.load()).client
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    await this.#credentials.save({ client, redirectUrl: this.redirectUrl })
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#credentials.load()).tokens
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#credentials.save({ tokens, redirectUrl: this.redirectUrl })
  }

  /** Tokens that can't be renewed bring us here too: then the registered address has to be open again. */
  async redirectToAuthorization(url: URL): Promise<void> {
    this.#callback ??= await openCallbackServer(Number(new URL(this.redirectUrl).port)).catch(
      async (cause: unknown) => {
        await this.invalidateCredentials('all')
        throw new Error(`${this.redirectUrl} is taken by another program: start the server again`, { cause })
      },
    )
    this.#show(url.href)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined
    if (scope === 'all' || scope === 'client') await this.#credentials.forget('client')
    if (scope === 'all' || scope === 'tokens') await this.#credentials.forget('tokens')
  }

  /** What the browser brings back. Rejects when `signal` aborts, or when nobody was asked. */
  async answer(signal: AbortSignal): Promise<URLSearchParams> {
    if (this.#callback === undefined) throw new Error('nobody was asked to authorize')
    return this.#callback.wait(this.#state, signal)
  }

  close(): void {
    this.#callback?.close()
  }
}

/** The address of last time where it is free; a client that is registered with another one is forgotten. */
async function reopen(redirectUrl: string | undefined, credentials: Credentials): Promise<CallbackServer> {
  const port = redirectUrl === undefined ? 0 : Number(new URL(redirectUrl).port)
  try {
    return await openCallbackServer(port)
  } catch {
    await credentials.forget('client')
    return openCallbackServer(0)
  }
}
