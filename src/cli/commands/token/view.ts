import { isObject } from '../../../contract/json.js';
import { TOKEN_FIELDS } from '../../../contract/token-fields.js';
import type { TokenType } from '../../../contract/token-types.js';
import { cellText } from '../../output/table.js';
import type { View } from '../../output/view.js';

/** Columns of the masked data of a card or bank account. */
const DATA_WIDTH = 28;

export const TOKEN_VIEW: View = {
  redaction: 'tokens',
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 5 },
    { title: 'TYPE', field: 'type', importance: 4 },
    { title: 'DATA', field: 'data', show: showData, min: DATA_WIDTH, importance: 3 },
    { title: 'CONTAINERS', field: 'containers', format: 'words' },
    { title: 'METADATA', field: 'metadata', show: showMetadata, min: 16, importance: 1 },
    { title: 'CREATED', field: 'created_at', format: 'time', importance: 2 },
  ],
  empty: 'No tokens.',
};

/**
 * Formats data as JSON, and that of a card or bank account as its values: the last digits of its number tell it from others,
 * which is what must not be cut.
 */
function showData(data: unknown, item: unknown): string {
  const { type } = item as { type: TokenType };
  const values = isObject(data) && TOKEN_FIELDS[type] ? Object.values(data) : [data];
  return values.map(cellText).join(' ');
}

function showMetadata(metadata: unknown): string {
  return Object.entries((metadata ?? {}) as Record<string, string>)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
