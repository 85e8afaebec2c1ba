import { type LeakForm, type Reading, readingsOf } from './forms.js';
import { countLines } from './observed-texts.js';
import type { SecretMatch, SecretValue, SecretValues } from './secret-values.js';

interface Finding {
  secret: SecretValue;
  form: LeakForm;
  /** Line feeds before it. */
  line: number;
  /** The text around it. Values, and characters that could belong to data, are masked. */
  excerpt: string;
}

const BEFORE_CHARACTERS = 32;
const AFTER_CHARACTERS = 12;
/** An excerpt is masked completely if there is a value this near. */
const AROUND_CHARACTERS = 600;
const MASK_CHARACTERS = 8;

export class LeakSearch {
  constructor(private readonly secrets: SecretValues) {}

  /** Lists every value in a text: once for each form in the text itself, else in the first reading that shows it. */
  search(text: string): Finding[] {
    const findings = new Map<string, Finding>();
    const known = new Set<SecretValue>();
    for (const reading of readingsOf(text)) {
      const found = this.#find(reading).filter(({ secret }) => !reading.form || !known.has(secret));
      for (const { start, end, secret, form: written } of found) {
        const form = reading.form ?? written;
        const key = `${form}\n${secret.name}\n${secret.value}`;
        if (findings.has(key)) continue;
        const excerpt = this.#excerpt(reading.text, start, end, found);
        findings.set(key, { secret, form, line: countLines(reading.text.slice(0, start)), excerpt });
      }
      for (const { secret } of found) known.add(secret);
    }
    return [...findings.values()];
  }

  /** Returns a short text, or a mask if it holds a value. */
  mask(text: string): string {
    const isFound = readingsOf(text).some((reading) => this.#find(reading).length > 0);
    return isFound ? 'X'.repeat(MASK_CHARACTERS) : text;
  }

  #find({ text }: Reading): SecretMatch[] {
    const found = this.secrets.find(text).sort((a, b) => a.start - b.start);
    const runs = new EncodedRuns(text);
    return found.map((one) =>
      one.form === 'base64' || one.form === 'hex' ? { ...one, ...runs.around(one) } : one,
    );
  }

  #excerpt(text: string, start: number, end: number, found: readonly SecretMatch[]): string {
    const mask = 'X'.repeat(MASK_CHARACTERS);
    const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - BEFORE_CHARACTERS);
    const lineEnd = text.indexOf('\n', end);
    const to = Math.min(lineEnd < 0 ? text.length : lineEnd, end + AFTER_CHARACTERS);
    const overlaps = (low: number, high: number) =>
      found.some((one) => one.start < high && one.end > low && !(one.start >= start && one.end <= end));
    // Text that belongs to another value, even an encoded one, is left out.
    const before = overlaps(from, start) ? '' : text.slice(from, start);
    const after = overlaps(end, to) ? '' : text.slice(end, to);
    const around = [
      text.slice(Math.max(0, start - AROUND_CHARACTERS), start),
      text.slice(end, end + AROUND_CHARACTERS),
    ];
    const isSafe = around.every((part) => this.mask(part) === part);
    const shown = isSafe ? `${withoutData(before)}${mask}${withoutData(after)}` : mask;
    return shown.trim();
  }
}

/** Keeps words and punctuation; digits and encoded characters could belong to data. */
const withoutData = (text: string): string =>
  text
    .replaceAll(/%[0-9a-f]{2}/gi, 'X')
    .replaceAll(/\d/g, 'X')
    .replaceAll(/\p{Cc}/gu, ' ');

/** Extends a match to the whole encoded text, which may hold other values. Positions must ascend. */
class EncodedRuns {
  #last = { start: 0, end: 0 };

  constructor(private readonly text: string) {}

  around({ start, end }: Pick<SecretMatch, 'start' | 'end'>): { start: number; end: number } {
    // Extended once per encoded text: a long one may hold many values.
    if (end > this.#last.end) {
      let [from, to] = [start, end];
      while (from > 0 && /[\w+/=-]/.test(this.text[from - 1] ?? '')) from -= 1;
      while (to < this.text.length && /[\w+/=-]/.test(this.text[to] ?? '')) to += 1;
      this.#last = { start: from, end: to };
    }
    return this.#last;
  }
}
