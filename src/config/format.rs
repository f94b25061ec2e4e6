//! Reading and writing a configuration with serde.

use core::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::PolicyConfig;
use super::draft::Draft;
use super::key::NAMES;
use super::raw::Raw;
use super::source::Source;

impl<'de> Deserialize<'de> for PolicyConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("PolicyConfig", &NAMES, Policy)
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
                draft.set(key, &raw);
            }
        }
        draft.finish().map_err(de::Error::custom)
    }
}

/// A key. Formats that tell keys from strings want to be asked for one.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(AnyName)
    }
}

struct AnyName;

impl Visitor<'_> for AnyName {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a retry setting")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Name, E> {
        Ok(Name(name.to_owned()))
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

impl<'de> Visitor<'de> for Anything {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Written, E> {
        Ok(Written(Some(Raw::Bool(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Written, E> {
        Ok(Written(Some(Raw::Int(value.into()))))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Written, E> {
        Ok(Written(Some(Raw::Int(value))))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Written, E> {
        Ok(Written(Some(Raw::Int(value.into()))))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Written, E> {
        Ok(Written(Some(Raw::Float(value))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Written, E> {
        Ok(Written(Some(Raw::Str(value.to_owned()))))
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
        Ok(Written(Some(Raw::List)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Written, A::Error> {
        while table.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Written(Some(Raw::Table)))
    }
}

impl Serialize for PolicyConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settings = self.settings();
        let mut table = serializer.serialize_struct("PolicyConfig", settings.len())?;
        for (key, raw) in settings {
            match raw {
                // The only whole number is `attempts`, a `u32`.
                Raw::Int(n) => {
                    let n = u32::try_from(n).unwrap_or(u32::MAX);
                    table.serialize_field(key.name(), &n)?;
                }
                Raw::Float(n) => table.serialize_field(key.name(), &n)?,
                other => table.serialize_field(key.name(), &other.bare())?,
            }
        }
        table.end()
    }
}
