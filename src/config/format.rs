//! Reading and writing a configuration with serde.

use core::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::PolicyConfig;
use super::draft::Draft;
use super::key::Key;
use super::source::{Raw, Source};
use super::value::Value;

impl<'de> Deserialize<'de> for PolicyConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("PolicyConfig", Key::NAMES, Policy)
    }
}

struct Policy;

impl<'de> Visitor<'de> for Policy {
    type Value = PolicyConfig;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of retry settings, such as `attempts = 5` and `fixed = \"1s\"`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PolicyConfig, A::Error> {
        let mut draft = Draft::new(Source::File);
        while let Some(Name(name)) = map.next_key()? {
            let value = map.next_value::<Written>()?;
            let key = draft.key(&name);
            if let (Some(key), Written(Some(raw))) = (key, value) {
                draft.read(key, &raw);
            }
        }
        draft.finish().map_err(de::Error::custom)
    }
}

/// A key. Formats that tell keys from strings want to be asked for one.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = deserializer.deserialize_identifier(Anything)?.0;
        Ok(Self(name.map_or(String::new(), |name| name.text)))
    }
}

/// A value of any type; `None` is a null, which counts as not given.
struct Written(Option<Raw>);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

/// What is written without quotes, as it is displayed.
macro_rules! plain {
    ($($visit:ident($type:ty))*) => {$(
        fn $visit<E>(self, value: $type) -> Result<Written, E> {
            Ok(Written(Some(Raw::bare(value.to_string()))))
        }
    )*};
}

impl<'de> Visitor<'de> for Anything {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    plain! { visit_bool(bool) visit_i64(i64) visit_i128(i128) visit_u64(u64) visit_u128(u128) }

    fn visit_f64<E>(self, value: f64) -> Result<Written, E> {
        Ok(Written(Some(Raw::float(value))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Written, E> {
        Ok(Written(Some(Raw::quoted(value))))
    }

    fn visit_unit<E>(self) -> Result<Written, E> {
        Ok(Written(None))
    }

    fn visit_none<E>(self) -> Result<Written, E> {
        Ok(Written(None))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Written, D::Error> {
        deserializer.deserialize_any(Self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Written, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Written(Some(Raw::bare("[…]"))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Written, A::Error> {
        while table.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Written(Some(Raw::bare("{…}"))))
    }
}

impl Serialize for PolicyConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_struct("PolicyConfig", self.values().count())?;
        for (key, value) in self.values() {
            match value {
                Value::Count(count) => table.serialize_field(key.name(), &count)?,
                Value::Number(number) => table.serialize_field(key.name(), &number)?,
                other => table.serialize_field(key.name(), &other.raw().text)?,
            }
        }
        table.end()
    }
}
