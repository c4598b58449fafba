import { expect, it } from "vitest";
import { idIn } from "./ids-in-text";

const GENERATION = "gen-1795312800-AbCdEfGhIjKlMnOpQrSt";
const REQUEST = "req-01936f3a-7c1e-7abc-8def-0123456789ab";

it.each([
  [GENERATION, { generation: GENERATION }],
  [`  ${GENERATION} `, { generation: GENERATION }],
  [REQUEST, { request: REQUEST }],
  [
    `{"error":{"code":403,"message":"Blocked","metadata":{"generation_id":"${GENERATION}"}}}`,
    { generation: GENERATION },
  ],
  [`{"type":"error","error":{"message":"Blocked"},"request_id":"${REQUEST}"}`, { request: REQUEST }],
  [`{"level":30,"request_id":"${REQUEST}","generation_id":"${GENERATION}"}`, { generation: GENERATION }],
  [`x-request-id: ${REQUEST}`, { request: REQUEST }],
  ["X-Request-Id: checkout-17.", { request: "checkout-17" }],
  ["{'request_id': 'checkout-17'}", { request: "checkout-17" }],
  ["PermissionDeniedError: 403 (request id: checkout-17)", { request: "checkout-17" }],
  ["checkout-17", null],
  ["why was it blocked", null],
  [`${GENERATION}x`, null],
  ["gen-1-short", null],
])("finds the id in %j", (text, found) => {
  expect(idIn(text)).toEqual(found);
});
