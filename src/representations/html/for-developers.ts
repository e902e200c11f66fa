import { Markup } from '../markup/markup.ts'

/** Shown to readers who asked for what is for developers, in their profile or, without one, in the menu. */
export const forDevelopers = (shown: Markup): Markup =>
  Markup.written((reader) => (reader.developer ? shown.for(reader) : ''), shown.marks)
