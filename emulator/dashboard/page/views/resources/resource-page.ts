import type { ComponentChildren } from 'preact';
import type { OperationId } from '../../../../../src/contract/operations.js';
import type { Resource, ResourceColumn } from '../../../../../src/contract/resources.js';
import type { Pagination } from '../../../../../src/contract/schemas/index.js';
import { capitalize, type FormField, type FormFields } from '../../components/field-values.js';
import type { Column } from '../../components/table.js';
import { useWorkbench } from '../../hooks/emulator.js';

export interface Item {
  id: string;
  name?: string;
  created_at?: string | undefined;
  modified_at?: string | undefined;
}

type Texts = Readonly<Record<string, Partial<FormField>>>;

/** What a page needs of a row of the resource table; tokens, which are none, have one too. */
interface PageRow extends Pick<Resource, 'verbs' | 'deletion'> {
  noun: string;
  collection: string;
  about?: string;
  columns?: readonly ResourceColumn[];
  fields: Readonly<Record<string, FormField & { suggest?: readonly string[] | 'permission' }>>;
}

/** How the page shows a resource, where that does not follow from its row. */
export interface ResourcePage<I extends Item = Item> {
  row: PageRow;
  /** Columns of the list in addition to those of the row. */
  columns?: readonly Column<Item>[];
  /** The command that an empty list proposes. */
  command?: string;
  /** What the deletion of an object ends. */
  deletion?: string;
  /** Loads an object another way than by its operation. */
  load?(id: string, tenantId: string): Promise<I>;
  /** What the page of an object shows in addition to its fields. */
  Detail?(props: { item: I }): ComponentChildren;
  /** What the list shows in addition to the objects. */
  Below?(props: object): ComponentChildren;
  form?: Texts;
  /** What depends on the type of the object. */
  formOf?(type: unknown, isNew: boolean): Texts;
  /** The fields of a new object that the form begins with, if they are not empty. */
  start?: Readonly<Record<string, unknown>>;
  /** Those of an object that is changed. */
  edited?(item: I): object;
  /** Changes the body of the request that saves an object. @param before the body without what was typed */
  finish?(body: Body, isNew: boolean, before: Body): object;
}

type Body = Record<string, unknown>;

const CONFIGURATION = { hint: 'One NAME=value per line. Shown here because you edit it.' };

export function formFields({ row, form, formOf }: ResourcePage, isNew: boolean, type: unknown): FormFields {
  const texts: Texts = { configuration: CONFIGURATION, ...form, ...formOf?.(type, isNew) };
  return Object.fromEntries(
    Object.entries(row.fields)
      .filter(([, { immutable }]) => isNew || !immutable)
      .map(([name, { suggest, description, ...field }]) => {
        const options = Array.isArray(suggest) && { options: suggest };
        const hint = description && { hint: `${capitalize(description)}.` };
        return [name, { ...hint, ...field, ...options, ...texts[name] }];
      }),
  );
}

/** The client of the service, without the types that depend on the operation: those of a page are stated once, by its item. */
interface AnyClient {
  read<Body>(id: OperationId, input: object): Promise<Body>;
  call<Body>(id: OperationId, input: object): Promise<Body>;
}

type ItemPage<I> = { data: I[]; pagination: Pagination };

export function useOperations<I extends Item>({ row, load }: ResourcePage<I>) {
  const { service, tenant } = useWorkbench();
  const client = service as unknown as AnyClient;
  const of = (verb: string) => `${row.collection}.${verb}` as OperationId;
  // PUT, which is the update of an application.
  const replace = of(row.verbs.includes('replace') ? 'replace' : 'update');
  return {
    list: (page: string) => client.read<ItemPage<I>>(of('list'), { query: { page } }),
    get: (id: string) => load?.(id, tenant.id) ?? client.read<I>(of('get'), { path: { id } }),
    create: (body: object) => client.call<I>(of('create'), { body }),
    replace: (id: string, body: object) => client.call<I>(replace, { path: { id }, body }),
    remove: (id: string) => client.call(of('delete'), { path: { id } }),
  };
}
