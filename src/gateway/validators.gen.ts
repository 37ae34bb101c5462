// @ts-nocheck: the validators below are ajv's; the generator declares the types of the exports.
/**
 * Made by `node spec/generate.ts` from spec/gateway.openapi.yaml. Never edited.
 *
 * `operations` is the table of endpoints in the document's order. `pathValidators[id]({ name })` and
 * `bodyValidators[id](body)` leave all errors in `.errors`. An error belongs to the first segment of its
 * `instancePath`; for the keyword `required` at the top, to `params.missingProperty`. The first row of
 * `constraintRefusals[id]` that applies is the refusal. A row with `absent` applies to a missing property or one of
 * these values, any other row to an error of its property. The body must be an object, so that every error has a row.
 */

export type OperationId =
  | 'getHealth'
  | 'registerBox'
  | 'heartbeatBox'
  | 'rotateBoxToken'
  | 'deregisterBox'
  | 'listRoutes'
  | 'publishRoute'
  | 'unpublishRoute';

export type DocumentRefusal =
  | 'registrationFieldsMissing'
  | 'registrationInvalid'
  | 'routeFieldsMissing'
  | 'routeInvalid';

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
    "operationId": "getHealth",
    "method": "GET",
    "path": "/healthz"
  },
  {
    "operationId": "registerBox",
    "method": "POST",
    "path": "/v1/boxes/register"
  },
  {
    "operationId": "heartbeatBox",
    "method": "POST",
    "path": "/v1/boxes/{box_id}/heartbeat"
  },
  {
    "operationId": "rotateBoxToken",
    "method": "POST",
    "path": "/v1/boxes/{box_id}/rotate-token"
  },
  {
    "operationId": "deregisterBox",
    "method": "POST",
    "path": "/v1/boxes/{box_id}/deregister"
  },
  {
    "operationId": "listRoutes",
    "method": "GET",
    "path": "/v1/routes"
  },
  {
    "operationId": "publishRoute",
    "method": "POST",
    "path": "/v1/routes"
  },
  {
    "operationId": "unpublishRoute",
    "method": "DELETE",
    "path": "/v1/routes/{route_id}"
  }
];

export const constraintRefusals: Readonly<Record<OperationId, readonly ConstraintRefusal[]>> = {
  "getHealth": [],
  "registerBox": [
    {
      "in": "body",
      "at": "registration_token",
      "refusal": "registrationFieldsMissing",
      "absent": [
        null,
        ""
      ]
    },
    {
      "in": "body",
      "at": "box_name",
      "refusal": "registrationFieldsMissing",
      "absent": [
        null,
        ""
      ]
    },
    {
      "in": "body",
      "at": "registration_token",
      "refusal": "registrationInvalid",
      "rule": "a string"
    },
    {
      "in": "body",
      "at": "box_name",
      "refusal": "registrationInvalid",
      "rule": "a string of 1 to 128 characters, none of them a control character"
    }
  ],
  "heartbeatBox": [],
  "rotateBoxToken": [],
  "deregisterBox": [],
  "listRoutes": [],
  "publishRoute": [
    {
      "in": "body",
      "at": "app_name",
      "refusal": "routeFieldsMissing",
      "absent": [
        null,
        ""
      ]
    },
    {
      "in": "body",
      "at": "subdomain",
      "refusal": "routeFieldsMissing",
      "absent": [
        null,
        ""
      ]
    },
    {
      "in": "body",
      "at": "port",
      "refusal": "routeFieldsMissing",
      "absent": [
        null
      ]
    },
    {
      "in": "body",
      "at": "app_name",
      "refusal": "routeInvalid",
      "rule": "a string of 1 to 63 letters, digits, dots, underscores and hyphens that starts with a letter or digit"
    },
    {
      "in": "body",
      "at": "subdomain",
      "refusal": "routeInvalid",
      "rule": "one DNS label of 1 to 63 lower-case letters, digits and inner hyphens that does not start with xn--"
    },
    {
      "in": "body",
      "at": "port",
      "refusal": "routeInvalid",
      "rule": "an integer from 1 to 65535"
    },
    {
      "in": "body",
      "at": "access",
      "refusal": "routeInvalid",
      "rule": "an object of login and password_hash (bcrypt of cost 4), allow (1 to 32 networks) and open_paths (1 to 16 paths), as the document of this API has them"
    }
  ],
  "unpublishRoute": []
};

export const tokenOperations: ReadonlySet<OperationId> = new Set<OperationId>([
  'heartbeatBox',
  'rotateBoxToken',
  'deregisterBox',
  'listRoutes',
  'publishRoute',
  'unpublishRoute',
]);

var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var registerBoxBody = validate10;
var schema11 = { "type": "object", "required": ["registration_token", "box_name"], "properties": { "registration_token": { "type": "string", "minLength": 1, "x-refusal-missing": "registrationFieldsMissing", "x-refusal": "registrationInvalid", "x-rule": "a string" }, "box_name": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[^\\x00-\\x1f\\x7f-\\x9f]*$", "x-refusal-missing": "registrationFieldsMissing", "x-refusal": "registrationInvalid", "x-rule": "a string of 1 to 128 characters, none of them a control character" } } };
var func2 = require_ucs2length().default;
var pattern0 = new RegExp("^[^\\x00-\\x1f\\x7f-\\x9f]*$", "u");
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.registration_token === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "registration_token" }, message: "must have required property 'registration_token'", schema: schema11.required, parentSchema: schema11, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.box_name === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "box_name" }, message: "must have required property 'box_name'", schema: schema11.required, parentSchema: schema11, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.registration_token !== void 0) {
      let data0 = data.registration_token;
      if (typeof data0 === "string") {
        if (func2(data0) < 1) {
          const err2 = { instancePath: instancePath + "/registration_token", schemaPath: "#/properties/registration_token/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema11.properties.registration_token, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/registration_token", schemaPath: "#/properties/registration_token/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema11.properties.registration_token.type, parentSchema: schema11.properties.registration_token, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.box_name !== void 0) {
      let data1 = data.box_name;
      if (typeof data1 === "string") {
        if (func2(data1) > 128) {
          const err4 = { instancePath: instancePath + "/box_name", schemaPath: "#/properties/box_name/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters", schema: 128, parentSchema: schema11.properties.box_name, data: data1 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (func2(data1) < 1) {
          const err5 = { instancePath: instancePath + "/box_name", schemaPath: "#/properties/box_name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema11.properties.box_name, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (!pattern0.test(data1)) {
          const err6 = { instancePath: instancePath + "/box_name", schemaPath: "#/properties/box_name/pattern", keyword: "pattern", params: { pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$" }, message: 'must match pattern "^[^\\x00-\\x1f\\x7f-\\x9f]*$"', schema: "^[^\\x00-\\x1f\\x7f-\\x9f]*$", parentSchema: schema11.properties.box_name, data: data1 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/box_name", schemaPath: "#/properties/box_name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema11.properties.box_name.type, parentSchema: schema11.properties.box_name, data: data1 };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
  } else {
    const err8 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema11.type, parentSchema: schema11, data };
    if (vErrors === null) {
      vErrors = [err8];
    } else {
      vErrors.push(err8);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}
var publishRouteBody = validate11;
var schema12 = { "type": "object", "required": ["app_name", "subdomain", "port"], "properties": { "app_name": { "type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$", "x-refusal-missing": "routeFieldsMissing", "x-refusal": "routeInvalid", "x-rule": "a string of 1 to 63 letters, digits, dots, underscores and hyphens that starts with a letter or digit" }, "subdomain": { "type": "string", "minLength": 1, "maxLength": 63, "pattern": "^(?:[a-wyz0-9](?:[a-z0-9-]*[a-z0-9])?|x(?:[a-mo-z0-9](?:[a-z0-9-]*[a-z0-9])?|-[a-z0-9-]*[a-z0-9]|n(?:-?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?)?)$", "x-refusal-missing": "routeFieldsMissing", "x-refusal": "routeInvalid", "x-rule": "one DNS label of 1 to 63 lower-case letters, digits and inner hyphens that does not start with xn--" }, "port": { "type": "integer", "minimum": 1, "maximum": 65535, "x-refusal-missing": "routeFieldsMissing", "x-refusal": "routeInvalid", "x-rule": "an integer from 1 to 65535" }, "access": { "type": "object", "minProperties": 1, "x-refusal": "routeInvalid", "x-rule": "an object of login and password_hash (bcrypt of cost 4), allow (1 to 32 networks) and open_paths (1 to 16 paths), as the document of this API has them", "properties": { "login": { "type": "string", "maxLength": 63, "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$" }, "password_hash": { "type": "string", "pattern": "^\\$2[aby]\\$04\\$[./A-Za-z0-9]{53}$" }, "allow": { "type": "array", "minItems": 1, "maxItems": 32, "items": { "type": "string", "maxLength": 49, "pattern": "^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$" } }, "open_paths": { "type": "array", "minItems": 1, "maxItems": 16, "items": { "type": "string", "maxLength": 200, "pattern": "^(?:/\\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:/|/\\*)?$" } } } } } };
var pattern1 = new RegExp("^[A-Za-z0-9][A-Za-z0-9._-]*$", "u");
var pattern2 = new RegExp("^(?:[a-wyz0-9](?:[a-z0-9-]*[a-z0-9])?|x(?:[a-mo-z0-9](?:[a-z0-9-]*[a-z0-9])?|-[a-z0-9-]*[a-z0-9]|n(?:-?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?)?)$", "u");
var pattern4 = new RegExp("^\\$2[aby]\\$04\\$[./A-Za-z0-9]{53}$", "u");
var pattern5 = new RegExp("^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$", "u");
var pattern6 = new RegExp("^(?:/\\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:/|/\\*)?$", "u");
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.app_name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "app_name" }, message: "must have required property 'app_name'", schema: schema12.required, parentSchema: schema12, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.subdomain === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "subdomain" }, message: "must have required property 'subdomain'", schema: schema12.required, parentSchema: schema12, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.port === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'", schema: schema12.required, parentSchema: schema12, data };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.app_name !== void 0) {
      let data0 = data.app_name;
      if (typeof data0 === "string") {
        if (func2(data0) > 63) {
          const err3 = { instancePath: instancePath + "/app_name", schemaPath: "#/properties/app_name/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters", schema: 63, parentSchema: schema12.properties.app_name, data: data0 };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err4 = { instancePath: instancePath + "/app_name", schemaPath: "#/properties/app_name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema12.properties.app_name, data: data0 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (!pattern1.test(data0)) {
          const err5 = { instancePath: instancePath + "/app_name", schemaPath: "#/properties/app_name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9._-]*$"', schema: "^[A-Za-z0-9][A-Za-z0-9._-]*$", parentSchema: schema12.properties.app_name, data: data0 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      } else {
        const err6 = { instancePath: instancePath + "/app_name", schemaPath: "#/properties/app_name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.app_name.type, parentSchema: schema12.properties.app_name, data: data0 };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.subdomain !== void 0) {
      let data1 = data.subdomain;
      if (typeof data1 === "string") {
        if (func2(data1) > 63) {
          const err7 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters", schema: 63, parentSchema: schema12.properties.subdomain, data: data1 };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (func2(data1) < 1) {
          const err8 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema12.properties.subdomain, data: data1 };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (!pattern2.test(data1)) {
          const err9 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/pattern", keyword: "pattern", params: { pattern: "^(?:[a-wyz0-9](?:[a-z0-9-]*[a-z0-9])?|x(?:[a-mo-z0-9](?:[a-z0-9-]*[a-z0-9])?|-[a-z0-9-]*[a-z0-9]|n(?:-?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?)?)$" }, message: 'must match pattern "^(?:[a-wyz0-9](?:[a-z0-9-]*[a-z0-9])?|x(?:[a-mo-z0-9](?:[a-z0-9-]*[a-z0-9])?|-[a-z0-9-]*[a-z0-9]|n(?:-?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?)?)$"', schema: "^(?:[a-wyz0-9](?:[a-z0-9-]*[a-z0-9])?|x(?:[a-mo-z0-9](?:[a-z0-9-]*[a-z0-9])?|-[a-z0-9-]*[a-z0-9]|n(?:-?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?)?)$", parentSchema: schema12.properties.subdomain, data: data1 };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
      } else {
        const err10 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.subdomain.type, parentSchema: schema12.properties.subdomain, data: data1 };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.port !== void 0) {
      let data2 = data.port;
      if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)) && isFinite(data2))) {
        const err11 = { instancePath: instancePath + "/port", schemaPath: "#/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema12.properties.port.type, parentSchema: schema12.properties.port, data: data2 };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
      if (typeof data2 == "number" && isFinite(data2)) {
        if (data2 > 65535 || isNaN(data2)) {
          const err12 = { instancePath: instancePath + "/port", schemaPath: "#/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535", schema: 65535, parentSchema: schema12.properties.port, data: data2 };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        if (data2 < 1 || isNaN(data2)) {
          const err13 = { instancePath: instancePath + "/port", schemaPath: "#/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema12.properties.port, data: data2 };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      }
    }
    if (data.access !== void 0) {
      let data3 = data.access;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (Object.keys(data3).length < 1) {
          const err14 = { instancePath: instancePath + "/access", schemaPath: "#/properties/access/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema12.properties.access, data: data3 };
          if (vErrors === null) {
            vErrors = [err14];
          } else {
            vErrors.push(err14);
          }
          errors++;
        }
        if (data3.login !== void 0) {
          let data4 = data3.login;
          if (typeof data4 === "string") {
            if (func2(data4) > 63) {
              const err15 = { instancePath: instancePath + "/access/login", schemaPath: "#/properties/access/properties/login/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters", schema: 63, parentSchema: schema12.properties.access.properties.login, data: data4 };
              if (vErrors === null) {
                vErrors = [err15];
              } else {
                vErrors.push(err15);
              }
              errors++;
            }
            if (!pattern1.test(data4)) {
              const err16 = { instancePath: instancePath + "/access/login", schemaPath: "#/properties/access/properties/login/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9._-]*$"', schema: "^[A-Za-z0-9][A-Za-z0-9._-]*$", parentSchema: schema12.properties.access.properties.login, data: data4 };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          } else {
            const err17 = { instancePath: instancePath + "/access/login", schemaPath: "#/properties/access/properties/login/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.access.properties.login.type, parentSchema: schema12.properties.access.properties.login, data: data4 };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data3.password_hash !== void 0) {
          let data5 = data3.password_hash;
          if (typeof data5 === "string") {
            if (!pattern4.test(data5)) {
              const err18 = { instancePath: instancePath + "/access/password_hash", schemaPath: "#/properties/access/properties/password_hash/pattern", keyword: "pattern", params: { pattern: "^\\$2[aby]\\$04\\$[./A-Za-z0-9]{53}$" }, message: 'must match pattern "^\\$2[aby]\\$04\\$[./A-Za-z0-9]{53}$"', schema: "^\\$2[aby]\\$04\\$[./A-Za-z0-9]{53}$", parentSchema: schema12.properties.access.properties.password_hash, data: data5 };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
          } else {
            const err19 = { instancePath: instancePath + "/access/password_hash", schemaPath: "#/properties/access/properties/password_hash/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.access.properties.password_hash.type, parentSchema: schema12.properties.access.properties.password_hash, data: data5 };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data3.allow !== void 0) {
          let data6 = data3.allow;
          if (Array.isArray(data6)) {
            if (data6.length > 32) {
              const err20 = { instancePath: instancePath + "/access/allow", schemaPath: "#/properties/access/properties/allow/maxItems", keyword: "maxItems", params: { limit: 32 }, message: "must NOT have more than 32 items", schema: 32, parentSchema: schema12.properties.access.properties.allow, data: data6 };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
            if (data6.length < 1) {
              const err21 = { instancePath: instancePath + "/access/allow", schemaPath: "#/properties/access/properties/allow/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema12.properties.access.properties.allow, data: data6 };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
            const len0 = data6.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data7 = data6[i0];
              if (typeof data7 === "string") {
                if (func2(data7) > 49) {
                  const err22 = { instancePath: instancePath + "/access/allow/" + i0, schemaPath: "#/properties/access/properties/allow/items/maxLength", keyword: "maxLength", params: { limit: 49 }, message: "must NOT have more than 49 characters", schema: 49, parentSchema: schema12.properties.access.properties.allow.items, data: data7 };
                  if (vErrors === null) {
                    vErrors = [err22];
                  } else {
                    vErrors.push(err22);
                  }
                  errors++;
                }
                if (!pattern5.test(data7)) {
                  const err23 = { instancePath: instancePath + "/access/allow/" + i0, schemaPath: "#/properties/access/properties/allow/items/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$" }, message: 'must match pattern "^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$"', schema: "^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$", parentSchema: schema12.properties.access.properties.allow.items, data: data7 };
                  if (vErrors === null) {
                    vErrors = [err23];
                  } else {
                    vErrors.push(err23);
                  }
                  errors++;
                }
              } else {
                const err24 = { instancePath: instancePath + "/access/allow/" + i0, schemaPath: "#/properties/access/properties/allow/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.access.properties.allow.items.type, parentSchema: schema12.properties.access.properties.allow.items, data: data7 };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
            }
          } else {
            const err25 = { instancePath: instancePath + "/access/allow", schemaPath: "#/properties/access/properties/allow/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema12.properties.access.properties.allow.type, parentSchema: schema12.properties.access.properties.allow, data: data6 };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
        }
        if (data3.open_paths !== void 0) {
          let data8 = data3.open_paths;
          if (Array.isArray(data8)) {
            if (data8.length > 16) {
              const err26 = { instancePath: instancePath + "/access/open_paths", schemaPath: "#/properties/access/properties/open_paths/maxItems", keyword: "maxItems", params: { limit: 16 }, message: "must NOT have more than 16 items", schema: 16, parentSchema: schema12.properties.access.properties.open_paths, data: data8 };
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
            if (data8.length < 1) {
              const err27 = { instancePath: instancePath + "/access/open_paths", schemaPath: "#/properties/access/properties/open_paths/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema12.properties.access.properties.open_paths, data: data8 };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
            const len1 = data8.length;
            for (let i1 = 0; i1 < len1; i1++) {
              let data9 = data8[i1];
              if (typeof data9 === "string") {
                if (func2(data9) > 200) {
                  const err28 = { instancePath: instancePath + "/access/open_paths/" + i1, schemaPath: "#/properties/access/properties/open_paths/items/maxLength", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters", schema: 200, parentSchema: schema12.properties.access.properties.open_paths.items, data: data9 };
                  if (vErrors === null) {
                    vErrors = [err28];
                  } else {
                    vErrors.push(err28);
                  }
                  errors++;
                }
                if (!pattern6.test(data9)) {
                  const err29 = { instancePath: instancePath + "/access/open_paths/" + i1, schemaPath: "#/properties/access/properties/open_paths/items/pattern", keyword: "pattern", params: { pattern: "^(?:/\\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:/|/\\*)?$" }, message: 'must match pattern "^(?:/\\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:/|/\\*)?$"', schema: "^(?:/\\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:/|/\\*)?$", parentSchema: schema12.properties.access.properties.open_paths.items, data: data9 };
                  if (vErrors === null) {
                    vErrors = [err29];
                  } else {
                    vErrors.push(err29);
                  }
                  errors++;
                }
              } else {
                const err30 = { instancePath: instancePath + "/access/open_paths/" + i1, schemaPath: "#/properties/access/properties/open_paths/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.access.properties.open_paths.items.type, parentSchema: schema12.properties.access.properties.open_paths.items, data: data9 };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            }
          } else {
            const err31 = { instancePath: instancePath + "/access/open_paths", schemaPath: "#/properties/access/properties/open_paths/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema12.properties.access.properties.open_paths.type, parentSchema: schema12.properties.access.properties.open_paths, data: data8 };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
      } else {
        const err32 = { instancePath: instancePath + "/access", schemaPath: "#/properties/access/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema12.properties.access.type, parentSchema: schema12.properties.access, data: data3 };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
  } else {
    const err33 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema12.type, parentSchema: schema12, data };
    if (vErrors === null) {
      vErrors = [err33];
    } else {
      vErrors.push(err33);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}

export const bodyValidators: Readonly<Record<'registerBox' | 'publishRoute', Validator>> = {
  registerBox: registerBoxBody as Validator,
  publishRoute: publishRouteBody as Validator,
};

export const pathValidators: Readonly<Record<never, Validator>> = {
};
