import type { Reply, Stream } from './reply.ts';

/**
 * The types of handlers, derived from the `operations` that openapi-typescript generates from a document. A handler
 * returns a documented success status with its documented body; it throws errors as refusals.
 */

type Success = 200 | 201 | 202 | 204 | 207;

type Content<Response> = Response extends { content: infer Kinds } ? Kinds[keyof Kinds] : never;

/** The documented JSON; a stream for events and for a file to download; for another content type, text or bytes. */
type ReplyWith<Status, Response> = Response extends { content: { 'application/json': infer Body } }
  ? { status: Status; body: Body }
  : [Content<Response>] extends [never]
    ? { status: Status; body: undefined }
    : Pick<Reply, 'headers' | 'caching'> & { status: Status; type: string; body: BodyOf<Response> };

type Streamed = 'text/event-stream' | 'application/octet-stream';
type BodyOf<Response> = Response extends { content: infer Kinds }
  ? keyof Kinds extends Streamed
    ? Stream
    : string | Buffer
  : never;

type OperationShape = { responses: object };

/** All successful replies of an operation. */
export type ReplyOf<Operation extends OperationShape> = {
  [Status in Extract<keyof Operation['responses'], Success>]: ReplyWith<Status, Operation['responses'][Status]>;
}[Extract<keyof Operation['responses'], Success>];

type PathInput<Operation> = Operation extends { parameters: { path: infer Path } } ? Path : unknown;

type BodyInput<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : unknown;

/** A handler's input: the path parameters and the documented fields of the body, as one object. */
export type InputOf<Operation> = PathInput<Operation> & BodyInput<Operation>;

/** One handler for each operation. A missing or extra one is a type error. */
export type Handlers<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends OperationShape
    ? (input: InputOf<Operations[Id]>) => Promise<ReplyOf<Operations[Id]>>
    : never;
};
