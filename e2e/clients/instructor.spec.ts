import createInstructor from "@instructor-ai/instructor";
import OpenAI from "openai";
import { z } from "zod";
import { expect, test, UPSTREAMS } from "./strict-provider";

for (const upstream of UPSTREAMS)
  test(`@instructor-ai/instructor at a ${upstream} upstream`, async ({
    scene: { baseURL, apiKey, modelAt, refused },
  }) => {
    const client = createInstructor({ client: new OpenAI({ baseURL, apiKey, maxRetries: 0 }), mode: "TOOLS" });
    const city = await client.chat.completions.create({
      model: await modelAt(upstream),
      messages: [{ role: "user", content: "weather where?" }],
      response_model: { schema: z.object({ city: z.string() }), name: "weather" },
    });
    expect(city).toMatchObject({ city: "Rome" });
    expect(refused).toEqual([]);
  });
