import type { ComponentChildren } from 'preact';
import { type OperationId, operationOf } from '../../../../../src/contract/operations.js';
import type { Resource } from '../../../../../src/contract/resources.js';
import type { Pagination } from '../../../../../src/contract/schemas/index.js';
import type { Column } from '../../components/table.js';
import { useService } from '../../hooks/workbench.js';

/** An object of any resource. */
export interface Item {
  id: string;
  name: string;
  created_at?: string | undefined;
  modified_at?: string | undefined;
}

/** What is typed into the form of a resource, by field. */
export type Inputs = Readonly<Record<string, string | boolean | readonly string[]>>;

export type SetInput = (name: string, value: Inputs[string]) => void;

export interface FormField {
  /** Its name by default. */
  label?: string;
  hint?: string;
  rows?: number;
  placeholder?: string;
}

/** The form of a resource: its row of the resource table, and the texts of its fields. */
export interface ResourceForm<I extends Item = Item> {
  row: Resource;
  /** The fields that the form has, all by default; it shows them in the order of the row. */
  form?: Readonly<Record<string, FormField>>;
  /** The fields of a new object that the form begins with, if they are not empty. */
  start?: Readonly<Record<string, unknown>>;
  /** Fields that differ from the usual ones. */
  special?: {
    inputsOf(item: Partial<I>): Inputs;
    Fields(props: { inputs: Inputs; set: SetInput }): ComponentChildren;
    /** @throws Error that says what is not valid */
    bodyOf(inputs: Inputs, isNew: boolean): object;
  };
}

/** How the page shows a resource, where that does not follow from its row. */
export interface ResourcePage<I extends Item = Item> extends ResourceForm<I> {
  /** The sentence below the title of the list. */
  summary?: string;
  columns?: readonly Column<I>[];
  empty?: { command: string; children?: ComponentChildren };
  /** What the deletion of an object ends. */
  deletion?: ComponentChildren;
  /** Shown before the ID of an object. */
  kind?(item: I): string;
  /** What the page of an object shows; its fields by default. */
  Detail?(props: { item: I }): ComponentChildren;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the page calls a field. */
export const labelOf = (name: string, { label }: FormField = {}): string =>
  label ?? capitalize(name.replaceAll('_', ' '));

interface Listed<I> {
  data: I[];
  pagination: Pagination;
}

/** The client of the service, without the types that depend on the operation: those of a page are stated once, by its item. */
interface AnyClient {
  read(id: OperationId, input: object): Promise<unknown>;
  call(id: OperationId, input: object): Promise<unknown>;
}

/** Returns the operations of a resource. */
export function useOperations<I extends Item>({ row }: ResourceForm<I>) {
  const service = useService();
  const client = service as unknown as AnyClient;
  return {
    service,
    list: (page: number) => client.read(operationOf(row, 'list'), { query: { page } }) as Promise<Listed<I>>,
    get: (id: string) => client.read(operationOf(row, 'get'), { path: { id } }) as Promise<I>,
    create: (body: object) => client.call(operationOf(row, 'create'), { body }) as Promise<I>,
    /** PUT, which is the update of an application. */
    replace: (id: string, body: object) => {
      const verb = row.verbs.includes('replace') ? 'replace' : 'update';
      return client.call(operationOf(row, verb), { path: { id }, body }) as Promise<I>;
    },
    remove: (id: string) => client.call(operationOf(row, 'delete'), { path: { id } }),
  };
}
