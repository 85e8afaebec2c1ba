import { useState } from 'preact/hooks';
import { maskContent } from '../../../../src/contract/masking.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES, type TokenType } from '../../../../src/contract/token-types.js';
import { callControl } from '../api/client.js';
import { Json, MaskedJson } from '../components/code.js';
import { Field, Form, FormPanel } from '../components/form.js';
import { Page, Panel } from '../components/page.js';
import { useWorkbench } from '../hooks/emulator.js';
import { TOKEN_SAMPLES } from './token-editor.js';

const EXAMPLES = [
  '{{ data | reveal_last: 4 }}',
  "{{ data.number | card_mask: true, true, '*' }}",
  '{{ data.email | json_stringify }}',
  "{{ data | json: '$.number' | slice: 0, 6 }}",
  "{{ data.expiration_month | pad_left: 2, '0' }}/{{ data.expiration_year }}",
  "{{ data.number | hmac: 'sha256', 'key' | to_base64 }}",
];

const sampleMask = (type: TokenType): unknown => {
  const defaults = TOKEN_TYPES[type];
  return 'mask' in defaults
    ? defaults.mask
    : { name: '{{ data.name | slice: 0 }}', email: "{{ data.email | split: '@' | last }}" };
};

/** Tries expressions: as a mask over sample data, or over tokens as the service replaces them. */
export function Expressions() {
  const { service } = useWorkbench();
  return (
    <Page title="Expressions" summary="Try a mask on sample data, or what detokenizing gives.">
      <div class="columns even">
        <MaskForm />
        {service && <DetokenizeForm />}
      </div>
    </Page>
  );
}

/** A body is passed as it was typed: the endpoint says what is wrong with it. */
type SampleBody = { expression: never; data: never };

function MaskForm() {
  const [type, setType] = useState<TokenType>('card');
  const [evaluated, setEvaluated] = useState<{ result?: unknown } | undefined>();
  const choose = (name: string) => {
    setType(name as TokenType);
    setEvaluated(undefined);
  };
  return (
    <Panel title="Mask">
      <Field label="Sample of type" value={type} options={TOKEN_TYPE_NAMES} onChange={choose} />
      <Form
        key={type}
        label="Mask"
        submit="Evaluate"
        fields={{
          data: { kind: 'json', label: 'Sample data', hint: 'JSON, as data. Nothing is stored.' },
          expression: {
            kind: 'expression',
            hint: 'A text with {{ … }}, or JSON whose texts are expressions. Ctrl+Enter evaluates.',
          },
        }}
        values={{ data: TOKEN_SAMPLES[type], expression: sampleMask(type) }}
        save={async (body: SampleBody) => {
          setEvaluated(undefined);
          setEvaluated(await callControl('expressions.evaluate', { body }));
        }}
        extra={(_inputs, set) => (
          <details open>
            <summary>Examples</summary>
            <ul>
              {EXAMPLES.map((example) => (
                <li key={example}>
                  <button type="button" class="link mono" onClick={() => set('expression', example)}>
                    {example}
                  </button>
                </li>
              ))}
            </ul>
          </details>
        )}
      />
      <div class="stack" role="status">
        {evaluated &&
          (evaluated.result === undefined ? (
            <p class="quiet">The expression has no value for this data.</p>
          ) : (
            <Json value={evaluated.result} label="Result" />
          ))}
      </div>
    </Panel>
  );
}

function DetokenizeForm() {
  const { service } = useWorkbench();
  const [result, setResult] = useState<{ value: unknown } | undefined>();
  return (
    <FormPanel
      label="Detokenize"
      submit="Detokenize"
      fields={{
        body: {
          kind: 'expression',
          label: 'JSON with expressions',
          rows: 8,
          hint: '{{ <token id> }} is the data of a token, {{ token: <token id> }} the whole token. At most 100 tokens; the audit log records each.',
        },
      }}
      values={{ body: { note: 'Hello {{ <token id> }}' } }}
      save={async ({ body }: { body: never }) => {
        setResult(undefined);
        setResult({ value: await service?.call('detokenize', { body }) });
      }}
    >
      <div role="status">
        {result && (
          <MaskedJson
            masked={maskContent(result.value, 'detokenize')}
            reveal={() => result.value}
            label="Detokenized"
          />
        )}
      </div>
    </FormPanel>
  );
}
