// Content blocks: what models and people are shown. The shapes are those of ACP and MCP.

export interface TextBlock {
  type: 'text'
  text: string
}
export interface ImageBlock {
  type: 'image'
  /** Base64. */
  data: string
  mimeType: string
  uri?: string
}
export interface AudioBlock {
  type: 'audio'
  /** Base64. */
  data: string
  mimeType: string
}
export interface ResourceLinkBlock {
  type: 'resource_link'
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
}
export interface ResourceBlock {
  type: 'resource'
  resource:
    | { uri: string; mimeType?: string; text: string }
    | { uri: string; mimeType?: string; blob: string }
}

export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceLinkBlock | ResourceBlock

/** The text of the text blocks, joined with newlines. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
