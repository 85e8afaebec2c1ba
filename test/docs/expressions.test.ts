import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serviceFilters } from '../../emulator/expressions/filters/index.js';
import { evaluateText } from '../emulator/expressions/evaluate-now.js';
import { NOW } from '../emulator/expressions/now.js';

const page = readFileSync(new URL('../../docs/expressions.md', import.meta.url), 'utf8');

const ROW = /^\| `(.*)` \| `(.*)` \| `(.*)` \|$/;
const sections = page.split(/^## /m).slice(1);

function examples(text: string): [string, unknown, unknown][] {
  return text.split('\n').flatMap((line) => {
    const [, expression = '', data = '', gives = ''] = ROW.exec(line) ?? [];
    return expression ? [[expression.replaceAll('\\|', '|'), JSON.parse(data), JSON.parse(gives)]] : [];
  });
}

const random = (text: string) => text.startsWith('Aliases');

it.each(sections.filter((text) => !random(text)).flatMap(examples))(
  'the examples of docs/expressions.md: %s of %j',
  (expression, data, gives) => {
    expect(evaluateText(expression, { data }, NOW)).toEqual(gives);
  },
);

it.each(sections.filter(random).flatMap(examples))(
  'the examples of docs/expressions.md: %s of %j has the shape of the example',
  (expression, data, gives) => {
    const shape = (text: unknown) => String(text).replace(/[a-z0-9]/g, 'x');
    const value = evaluateText(expression, { data }, NOW);
    expect(shape(value)).toBe(shape(gives));
  },
);

it('the examples of docs/expressions.md show every filter of the service', () => {
  for (const { name } of serviceFilters) expect(page).toContain(`| ${name}`);
});
