/**
 * Prints a TypeScript type for each type of rows in an OpenAPI document on standard input, such as
 * `PostRow`, so that the page is checked against the rows that the server sends.
 *
 *     viewdelta openapi | node row-types.js > rows.d.ts
 */
import { readFileSync } from "node:fs";

const { schemas } = JSON.parse(readFileSync(0, "utf8")).components;

/** Returns the TypeScript type of a JSON schema. */
function typed(schema) {
  if (schema.$ref) return typed(schemas[schema.$ref.split("/").at(-1)]);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typed).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typed({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "integer": return "number";
    case "string": case "number": case "boolean": case "null": return schema.type;
    case "array": return `(${schema.items ? typed(schema.items) : "any"})[]`;
    case "object": return object(schema);
    default: return "any";
  }
}

function object({ properties, required = [], additionalProperties }) {
  if (!properties) return "{[member: string]: any}";
  const members = Object.entries(properties).map(([name, schema]) =>
    `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typed(schema)}`);
  if (additionalProperties !== false) members.push("[member: string]: any");
  return `{${members.join(", ")}}`;
}

for (const reference of Object.values(schemas.Row.discriminator.mapping)) {
  const name = reference.split("/").at(-1);
  // What a row's action sends is sent unread, whatever it is.
  const { action, ...properties } = schemas[name].properties ?? {};
  const row = properties.type
    ? `${object({ ...schemas[name], properties })} & {action?: {title: string, command: {type: string, [argument: string]: any}}}`
    : "{id: string, type: string, [field: string]: any}";
  console.log(`export type ${name} = ${row};`);
}
