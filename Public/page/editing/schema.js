/**
 * The fields of a form, read from a JSON schema of the server.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string[]} types Such as `["string", "null"]`.
 * @property {any[]} [options] The values to choose from.
 * @property {boolean} isRequired
 * @property {any} [value] What the field has at first.
 */

/**
 * Returns the members of an object as fields, the required ones first.
 *
 * @param {any} object The schema of the object.
 * @param {any} root The schema with the definitions that it refers to.
 * @returns {Field[]}
 */
export function fieldsOf(object, root) {
  const { properties = {}, required = [] } = resolved(object, root);
  const fields = Object.keys(properties).map((name) => {
    const { enum: options, ...rest } = resolved(properties[name], root);
    return { name, types: typesOf(rest, root), options, isRequired: required.includes(name) };
  });
  return fields.sort((left, right) => Number(right.isRequired) - Number(left.isRequired));
}

/**
 * Returns a schema, or the one that it refers to.
 *
 * @param {any} schema
 * @param {any} root
 */
export function resolved(schema, root) {
  if (typeof schema?.$ref !== "string") return schema;
  let found = root;
  for (const name of schema.$ref.slice("#/".length).split("/")) found = found?.[name];
  return found ?? {};
}

/**
 * @param {any} schema
 * @param {any} root
 * @returns {string[]}
 */
function typesOf(schema, root) {
  if (schema.oneOf) {
    return schema.oneOf.flatMap((/** @type {any} */ each) => typesOf(resolved(each, root), root));
  }
  return [schema.type ?? []].flat();
}

/** @param {Field} field */
export const isText = ({ types }) => types.includes("string");
/** @param {Field} field */
export const isNumber = ({ types }) => types.includes("integer") || types.includes("number");
/**
 * Whether a field takes an id, which may be a number or a text.
 *
 * @param {Field} field
 */
export const isID = (field) => isText(field) && isNumber(field);
/**
 * Whether a field takes one value that can be entered.
 *
 * @param {Field} field
 */
export const isPlain = (field) =>
  Boolean(field.options) || isText(field) || isNumber(field) || field.types.includes("boolean");
