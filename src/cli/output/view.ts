import type { Redaction } from './redact.js';
import type { Style } from './style.js';
import type { Column } from './table.js';

export interface View {
  redaction: Redaction;
  /** Fields that are printed whichever are chosen with `--json`. */
  always?: readonly string[];
  /** Fields that the result may lack, in addition to those of `columns`: `--json` accepts them all the same. */
  optional?: readonly string[];
  /** The columns of a list. A single object is printed field by field. */
  columns?: readonly Column[];
  /** Whether a single object is printed as its row in a list would be, in a few lines. */
  brief?: boolean;
  /** The message for an empty list in table mode, on stderr. */
  empty?: string;
  /** Formats the result in table mode instead of a table, in lines of at most `width` columns. */
  render?: (value: never, style: Style, width: number) => string;
}

/** How to print a result that holds nothing to hide. */
export type PlainView = Omit<View, 'redaction'>;

export const REACTION_VIEW: View = { redaction: 'reaction', optional: ['raw', 'tokens'] };
