import { useState } from 'preact/hooks';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES, type TokenType } from '../../../../src/contract/token-types.js';
import { callControl } from '../api/client.js';
import { Json } from '../components/code.js';
import { Field, Form } from '../components/form.js';
import { Page, Panel } from '../components/page.js';
import { TOKEN_SAMPLES } from './token-editor.js';

const sampleMask = (type: TokenType): unknown => {
  const defaults = TOKEN_TYPES[type];
  return 'mask' in defaults
    ? defaults.mask
    : { name: '{{ data.name | slice: 0 }}', email: "{{ data.email | split: '@' | last }}" };
};

/** A body is passed as it was typed: the endpoint says what is wrong with it. */
type SampleBody = { expression: never; data: never };

export function Expressions() {
  const [type, setType] = useState<TokenType>('card');
  const [evaluated, setEvaluated] = useState<{ result?: unknown } | undefined>();
  const choose = (name: string) => {
    setType(name as TokenType);
    setEvaluated(undefined);
  };
  return (
    <Page title="Expressions" summary="Try a mask on sample data. Nothing is stored.">
      <Panel title="Mask">
        <Field label="Sample of type" value={type} options={TOKEN_TYPE_NAMES} onChange={choose} />
        <Form
          key={type}
          label="Mask"
          submit="Evaluate"
          fields={{
            data: { kind: 'json', label: 'Sample data', hint: 'JSON, as data.' },
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
    </Page>
  );
}
