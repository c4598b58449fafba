import { expect, it } from "vitest";
import { DirectResponse } from "./direct-response";
import { PlainHeaders } from "./plain-headers";

async function* parts() {
  yield "gr";
  yield new TextEncoder().encode("öße");
}

it.each([
  ["a text", "größe"],
  ["parts", parts()],
])("%s is a standard response to whoever expects one", async (_, content) => {
  const headers = new PlainHeaders({ "content-type": "text/plain" });
  headers.append("set-cookie", "a=1");
  headers.append("set-cookie", "b=2");
  const response = new DirectResponse(content, { status: 201, headers });
  expect(response).toBeInstanceOf(Response);
  expect(response).toMatchObject({
    status: 201,
    ok: true,
    statusText: "",
    redirected: false,
    type: "default",
    url: "",
  });
  const copy = new Response(response.body, response);
  expect(copy.status).toBe(201);
  expect(copy.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await copy.text()).toBe("größe");
  expect(response.bodyUsed).toBe(true);
});
