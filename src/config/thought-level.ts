// How long a model thinks before it answers.

/** `off` is the least that a model can do. */
export const THOUGHT_LEVELS = ['off', 'low', 'medium', 'high'] as const
export type ThoughtLevel = (typeof THOUGHT_LEVELS)[number]
