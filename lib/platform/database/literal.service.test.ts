import { expect, it } from "vitest";
import { createKey, createMember } from "../../testing/factories";
import { testWorld } from "../../testing/test-context";
import { listKeys } from "../../records/keys/contract";
import * as keys from "../../records/keys/service";
import { listMembers } from "../../records/members/contract";
import * as members from "../../records/members/service";

it.each(["%", "_", "\\", "100%"])("a search for %s matches it literally in names", async (q) => {
  const world = await testWorld();
  for (const name of ["100% sure", "snake_case", "back\\slash", "plain"]) await createKey(world, { name });
  const id = await createMember(world);
  await world.context.db.member.update({ where: { id }, data: { firstName: "100%_\\" } });
  const names = (
    await keys.list(world.context, { params: {}, query: listKeys.query?.parse({ q }) as never, body: undefined })
  ).data.map(({ name }) => name);
  expect(names).toEqual(["100% sure", "snake_case", "back\\slash"].filter((name) => name.includes(q)));
  const found = await members.list(world.context, {
    params: {},
    query: listMembers.query?.parse({ q }) as never,
    body: undefined,
  });
  expect(found.data.map((member) => member.id)).toEqual("100%_\\".includes(q) ? expect.arrayContaining([id]) : []);
});
