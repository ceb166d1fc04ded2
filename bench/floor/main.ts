// Starts the floor agent as the launcher starts Deckhand: the compile cache first, then the bundle.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./agent.ts')
