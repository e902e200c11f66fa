import { say } from '../../languages/say.ts'
import type { Document } from '../document.ts'

/** The title of a document in the reader's language, unless people typed it. */
export const saidTitle = ({ title }: Document): string => (typeof title === 'string' ? say(title) : title())
