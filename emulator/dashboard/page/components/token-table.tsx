import type { Token } from '../../../../src/contract/schemas/index.js';
import { formatJsonLine } from '../format.js';
import { hrefTo } from '../route.js';
import { type Column, Table } from './table.js';
import { Id, None, Path, Time } from './text.js';

const ID: Column<Token> = { name: 'ID', cell: ({ id }) => <Id value={id} href={hrefTo(['tokens', id])} /> };
const TYPE: Column<Token> = { name: 'Type', kind: 'fit', cell: ({ type }) => type };
const DATA: Column<Token> = {
  name: 'Masked data',
  kind: 'wide',
  cell: ({ data }) => <MaskedData data={data} />,
};
const CONTAINERS: Column<Token> = {
  name: 'Containers',
  cell: ({ containers }) => <Path value={containers.join(' ')} />,
};
const METADATA: Column<Token> = {
  name: 'Metadata',
  kind: 'wide',
  cell: ({ metadata }) => <Metadata values={metadata} />,
};
const CREATED: Column<Token> = {
  name: 'Created',
  kind: 'fit',
  cell: ({ created_at }) => <Time value={created_at} />,
};

/** What lists show of tokens, whose data the emulator has masked. */
export const TOKEN_COLUMNS = [ID, TYPE, DATA, CONTAINERS, METADATA, CREATED];

/** Tokens with the most important columns. */
export const TokenTable = ({ tokens }: { tokens: readonly Token[] }) => (
  <Table label="Tokens" columns={[ID, TYPE, DATA, CREATED]} rows={tokens} keyOf={({ id }) => id} />
);

function MaskedData({ data }: { data: unknown }) {
  if (data === undefined) return <span class="quiet">not shown: no mask</span>;
  return <code class="clamp">{formatJsonLine(data)}</code>;
}

export function Metadata({ values = {} }: { values?: Readonly<Record<string, string>> | undefined }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <None />;
  return (
    <ul class="pairs">
      {entries.map(([name, value]) => (
        <li key={name}>
          <span class="quiet">{name}</span> {value}
        </li>
      ))}
    </ul>
  );
}
