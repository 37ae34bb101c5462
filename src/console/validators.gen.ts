// @ts-nocheck: the validators below are ajv's; the generator declares the types of the exports.
/**
 * Made by `node spec/generate.ts` from spec/console.openapi.yaml. Never edited.
 *
 * `operations` is the table of endpoints in the document's order. `pathValidators[id]({ name })` and
 * `bodyValidators[id](body)` leave all errors in `.errors`. An error belongs to the first segment of its
 * `instancePath`; for the keyword `required` at the top, to `params.missingProperty`. The first row of
 * `constraintRefusals[id]` that applies is the refusal. A row with `absent` applies to a missing property or one of
 * these values, any other row to an error of its property. The body must be an object, so that every error has a row.
 */

export type OperationId =
  | 'showConsole'
  | 'readRoom'
  | 'followRoom'
  | 'act'
  | 'followAppLog'
  | 'downloadBackupFile'
  | 'readIcon'
  | 'readRootCertificate';

export type DocumentRefusal =
  | 'invalidAct'
  | 'invalidAppName';

export type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The value that failed; for a missing property, the object without it. */
  readonly data: unknown;
};

/** A compiled schema. It adds the schema's defaults to the value. */
export type Validator = {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
};

export type OperationRow = {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the document, with parameters in braces. */
  readonly path: string;
};

export type ConstraintRefusal = {
  readonly in: 'path' | 'body';
  /** The name of the path parameter, or of the body's property. */
  readonly at: string;
  readonly refusal: DocumentRefusal;
  /** Restricts the row to a property that is missing or has one of these values. */
  readonly absent?: readonly unknown[];
  /** The rule of the property, for the refusal's text. */
  readonly rule?: string;
};

export const operations: readonly OperationRow[] = [
  {
    "operationId": "showConsole",
    "method": "GET",
    "path": "/settings/"
  },
  {
    "operationId": "readRoom",
    "method": "GET",
    "path": "/settings/api/rooms/{room}"
  },
  {
    "operationId": "followRoom",
    "method": "GET",
    "path": "/settings/api/follow/{room}"
  },
  {
    "operationId": "act",
    "method": "POST",
    "path": "/settings/api/acts"
  },
  {
    "operationId": "followAppLog",
    "method": "GET",
    "path": "/settings/api/logs/{name}"
  },
  {
    "operationId": "downloadBackupFile",
    "method": "GET",
    "path": "/settings/api/backup-files/{file}"
  },
  {
    "operationId": "readIcon",
    "method": "GET",
    "path": "/settings/icons/{name}"
  },
  {
    "operationId": "readRootCertificate",
    "method": "GET",
    "path": "/settings/api/root.crt"
  }
];

export const constraintRefusals: Readonly<Record<OperationId, readonly ConstraintRefusal[]>> = {
  "showConsole": [],
  "readRoom": [],
  "followRoom": [],
  "act": [
    {
      "in": "body",
      "at": "act",
      "refusal": "invalidAct"
    },
    {
      "in": "body",
      "at": "fields",
      "refusal": "invalidAct"
    }
  ],
  "followAppLog": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "downloadBackupFile": [],
  "readIcon": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "readRootCertificate": []
};

// <stdin>
var actBody = validate10;
var schema11 = { "type": "object", "required": ["act", "fields"], "properties": { "act": { "type": "string", "x-refusal": "invalidAct" }, "fields": { "type": "object", "x-refusal": "invalidAct", "additionalProperties": { "type": "string" } } } };
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.act === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "act" }, message: "must have required property 'act'", schema: schema11.required, parentSchema: schema11, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.fields === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "fields" }, message: "must have required property 'fields'", schema: schema11.required, parentSchema: schema11, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.act !== void 0) {
      let data0 = data.act;
      if (typeof data0 !== "string") {
        const err2 = { instancePath: instancePath + "/act", schemaPath: "#/properties/act/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema11.properties.act.type, parentSchema: schema11.properties.act, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.fields !== void 0) {
      let data1 = data.fields;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (const key0 in data1) {
          let data2 = data1[key0];
          if (typeof data2 !== "string") {
            const err3 = { instancePath: instancePath + "/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/fields/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema11.properties.fields.additionalProperties.type, parentSchema: schema11.properties.fields.additionalProperties, data: data2 };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
        }
      } else {
        const err4 = { instancePath: instancePath + "/fields", schemaPath: "#/properties/fields/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema11.properties.fields.type, parentSchema: schema11.properties.fields, data: data1 };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
  } else {
    const err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema11.type, parentSchema: schema11, data };
    if (vErrors === null) {
      vErrors = [err5];
    } else {
      vErrors.push(err5);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}
var followAppLogPath = validate11;
var schema12 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
var pattern0 = new RegExp("^[^/]+$", "u");
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema12.required, parentSchema: schema12, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema12.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.name.type, parentSchema: schema12.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema12.type, parentSchema: schema12, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var readIconPath = validate12;
var schema13 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema13.required, parentSchema: schema13, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema13.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema13.properties.name.type, parentSchema: schema13.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema13.type, parentSchema: schema13, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate12.errors = vErrors;
  return errors === 0;
}

export const bodyValidators: Readonly<Record<'act', Validator>> = {
  act: actBody as Validator,
};

export const pathValidators: Readonly<Record<'followAppLog' | 'readIcon', Validator>> = {
  followAppLog: followAppLogPath as Validator,
  readIcon: readIconPath as Validator,
};
