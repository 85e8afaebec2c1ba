import { useState } from 'preact/hooks';
import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { Field } from '../components/form.js';
import { Page } from '../components/page.js';
import { REQUEST_COLUMNS } from '../components/requests.js';
import { Listing, pageOf } from '../components/table.js';
import { Action } from '../components/text.js';
import { hasWords } from '../format.js';
import { useRequests } from '../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

const OUTCOMES: Readonly<Record<string, (status: number) => boolean>> = {
  all: () => true,
  succeeded: (status) => status < 400,
  failed: (status) => status >= 400,
};

const CREATE = `tokenctl token create --type token --data '"hello"'`;

export function Requests({ route: { query } }: ViewProps) {
  const { status: outcome = 'all', find = '', page = '1' } = query;
  const [text, setText] = useState(find);
  const current = useRequests();
  const [paused, setPaused] = useState<readonly RequestEvent[] | undefined>();
  const requests = paused ?? current;
  const matches = OUTCOMES[outcome] ?? (() => true);
  const found = requests.filter(
    (request) => matches(request.status) && hasWords(Object.values(request).join(' '), text),
  );
  return (
    <Page
      title="Requests"
      summary="The last 1,000 requests are kept in memory."
      actions={
        <>
          <Action
            name={paused ? 'Resume' : 'Pause'}
            pressed={paused !== undefined}
            run={() => setPaused(paused ? undefined : current)}
          />
          <a href="#/requests/new">New request</a>
        </>
      }
    >
      <div class="filters">
        <Field
          label="Filter requests"
          kind="search"
          value={text}
          onChange={setText}
          placeholder="Path, status, operation, application, trace ID"
        />
        <Field
          label="Outcome"
          value={outcome}
          options={Object.keys(OUTCOMES)}
          onChange={(status) => navigate(['requests'], { status })}
        />
      </div>
      <Listing
        columns={REQUEST_COLUMNS}
        title="Requests"
        chip={paused ? 'paused' : 'live'}
        page={{ value: pageOf(found, Number(page)), reload() {} }}
        items={['request', 'requests']}
        hrefOf={(next) => hrefTo(['requests'], { status: outcome, find: text, page: next })}
        empty={requests.length > 0 ? { title: 'No request matches the filter.' } : { command: CREATE }}
      />
    </Page>
  );
}
