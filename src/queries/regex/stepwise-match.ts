import type { Pattern } from './regex.ts'

/** A match that can pause at any character and resume. */
export interface StepwiseMatch {
  /** Whether the pattern matches; undefined if `isOver`, which is called regularly, stopped it before the end. */
  advance(isOver: () => boolean): boolean | undefined
}

/** Instructions between two checks of the clock: about a millisecond. */
const STRETCH = 20_000

/**
 * Matches anywhere in the text, as RE2 does: all threads of the program advance one character at a time,
 * so the time is bounded by the program's size times the text's length.
 */
export function beginMatch(pattern: Pattern, text: string, stretch = STRETCH): StepwiseMatch {
  const { ops, outs, args, start, anchored, consumes } = programOf(pattern)
  const seen = new Int32Array(ops.length)
  const stack = new Int32Array(2 * ops.length + 2)
  let now = new Int32Array(ops.length)
  let next = new Int32Array(ops.length)
  let count = 0
  let at = 0
  let before = -1

  /** Advances all threads by one character; true if one has matched. */
  function takeCharacter(code: number, turn: number): boolean {
    const context = contextOf(before, code)
    let kept = 0
    for (let each = 0; each <= count; each++) {
      // A match may also begin here, with the lowest priority.
      stack[0] = each < count ? (now[each] as number) : start
      let depth = 1
      while (depth > 0) {
        const pc = stack[--depth] as number
        if (seen[pc] === turn) continue
        seen[pc] = turn
        switch (ops[pc]) {
          case ALT:
          case ALT_MATCH:
            stack[depth++] = args[pc] as number
            stack[depth++] = outs[pc] as number
            break
          case CAPTURE:
          case NOP:
            stack[depth++] = outs[pc] as number
            break
          case EMPTY_WIDTH:
            if (((args[pc] as number) & ~context) === 0) stack[depth++] = outs[pc] as number
            break
          case MATCH:
            return true
          case FAIL:
            break
          default:
            if (code >= 0 && consumes(pc, code)) next[kept++] = outs[pc] as number
        }
      }
    }
    const spare = now
    now = next
    next = spare
    count = kept
    return false
  }

  return {
    advance(isOver) {
      let done = 0
      while (at <= text.length) {
        const code = text.codePointAt(at) ?? -1
        if (takeCharacter(code, at + 1)) return true
        if (anchored && count === 0) return false
        before = code
        at += code > 0xffff ? 2 : 1
        done += count + 1
        if (done < stretch) continue
        done = 0
        if (isOver()) return undefined
      }
      return false
    },
  }
}

// The instructions of re2js 2.10.
const ALT = 1
const ALT_MATCH = 2
const CAPTURE = 3
const EMPTY_WIDTH = 4
const FAIL = 5
const MATCH = 6
const NOP = 7
const RUNE_ANY = 10
const RUNE_ANY_NOT_NEWLINE = 11

interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  matchRune(code: number): boolean
}

/** A compiled pattern, laid out for speed. */
interface Program {
  readonly ops: Uint8Array
  readonly outs: Int32Array
  readonly args: Int32Array
  readonly start: number
  /** Matches at the beginning of the text only. */
  readonly anchored: boolean
  readonly consumes: (pc: number, code: number) => boolean
}

const programs = new WeakMap<Pattern, Program>()

function programOf(pattern: Pattern): Program {
  const known = programs.get(pattern)
  if (known !== undefined) return known
  const { prog, cond } = pattern.re2()
  const instructions = prog.inst as readonly Instruction[]
  const ops = Uint8Array.from(instructions, ({ op }) => op)
  const program: Program = {
    ops,
    outs: Int32Array.from(instructions, ({ out }) => out),
    args: Int32Array.from(instructions, ({ arg }) => arg),
    start: prog.start,
    anchored: (cond & BEGIN_TEXT) !== 0,
    consumes: (pc, code) => {
      const op = ops[pc]
      if (op === RUNE_ANY) return true
      if (op === RUNE_ANY_NOT_NEWLINE) return code !== NEWLINE
      return instructions[pc]?.matchRune(code) ?? false
    },
  }
  programs.set(pattern, program)
  return program
}

const BEGIN_LINE = 1
const END_LINE = 2
const BEGIN_TEXT = 4
const END_TEXT = 8
const WORD_BOUNDARY = 16
const NO_WORD_BOUNDARY = 32
const NEWLINE = 10

/** The zero-width conditions between two characters; -1 stands for the text's ends. */
function contextOf(before: number, code: number): number {
  let context = 0
  if (before < 0) context |= BEGIN_TEXT | BEGIN_LINE
  if (before === NEWLINE) context |= BEGIN_LINE
  if (code < 0) context |= END_TEXT | END_LINE
  if (code === NEWLINE) context |= END_LINE
  return context | (isWord(before) === isWord(code) ? NO_WORD_BOUNDARY : WORD_BOUNDARY)
}

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
