// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../gateway/contract";

export const createChatCompletion = {"id":"createChatCompletion","method":"POST","path":"/chat/completions","access":"inference"} as Callable<typeof contract.createChatCompletion>;
export const createResponse = {"id":"createResponse","method":"POST","path":"/responses","access":"inference"} as Callable<typeof contract.createResponse>;
