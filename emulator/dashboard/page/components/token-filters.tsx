import { TOKEN_TYPE_NAMES } from '../../../../src/contract/token-types.js';
import { hrefTo, navigate } from '../route.js';
import { Form } from './form.js';

/** Splits a query into what all has to match: one part if it also has alternatives. */
const termsOf = (query: string): string[] =>
  /\bOR\b/.test(query) ? [`(${query})`] : query.split(/\s+AND\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/).filter(Boolean);

/** Returns the address of the tokens that match a query and a filter, in place of another one of its field; or without it. */
export function hrefToFiltered(query: string, field: string, value: string): string {
  const [term, terms] = [`${field}:${value}`, termsOf(query)];
  const others = terms.filter((other) => !other.startsWith(`${field}:`));
  return hrefTo(['tokens'], { query: [...others, ...(terms.includes(term) ? [] : [term])].join(' AND ') });
}

const TODAY = `created_at:[${new Date().toISOString().slice(0, 10)} TO *]`;
const CHIPS = [...TOKEN_TYPE_NAMES.map((type) => `type:${type}`), TODAY];

/** The query of the tokens as text, and chips that add filters to it and remove them. */
export function Filters({ query }: { query: string }) {
  const terms = termsOf(query);
  return (
    <search class="stack">
      <Form
        class="filters"
        label="Search"
        submit="Search"
        fields={{
          query: {
            kind: 'search',
            mono: true,
            label: 'Search with a Lucene query',
            placeholder: 'type:card AND metadata.order:1001',
          },
        }}
        values={{ query }}
        save={async ({ query = '' }: { query?: string }) => navigate(['tokens'], { query: query.trim() })}
      />
      <ul class="row" aria-label="Filters">
        {[...new Set([...terms, ...CHIPS])].map((term) => {
          const [, field = '', value = ''] = /^(.*?):(.*)$/.exec(term) ?? [];
          const isOn = terms.includes(term);
          return (
            <li key={term}>
              <a
                class="badge"
                data-tone={isOn ? undefined : 'quiet'}
                aria-label={isOn ? `Remove ${term}` : term}
                href={hrefToFiltered(query, field, value)}
              >
                {term} {isOn && '✕'}
              </a>
            </li>
          );
        })}
      </ul>
    </search>
  );
}
